import { conversationStoreContract } from './conversation-store.contract.js';
import { entryStoreContract } from './entry-store.contract.js';
import { flightStoreContract } from './flight-store.contract.js';
import { learnedContract } from './learned.contract.js';
import { namespaceAdminContract } from './namespace-admin.contract.js';
import { planStoreContract } from './plan-store.contract.js';
import { riskStoreContract } from './risk-store.contract.js';
import { smallStoresContract } from './small-stores.contract.js';
import type { OpenStore } from './store-under-test.js';

/** The contract of every store port; both adapters and both forms of the functions pass it. */
export function storeContract(name: string, open: OpenStore): void {
  entryStoreContract(name, open);
  flightStoreContract(name, open);
  conversationStoreContract(name, open);
  namespaceAdminContract(name, open);
  riskStoreContract(name, open);
  learnedContract(name, open);
  planStoreContract(name, open);
  smallStoresContract(name, open);
}
