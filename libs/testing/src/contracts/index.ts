export { conversationStoreContract } from './conversation-store.contract.js';
export { entryStoreContract } from './entry-store.contract.js';
export { flightStoreContract } from './flight-store.contract.js';
export { namespaceAdminContract } from './namespace-admin.contract.js';
export { riskStoreContract } from './risk-store.contract.js';
export { smallStoresContract } from './small-stores.contract.js';
export { storeContract } from './store.contract.js';
export type { OpenStore, StorePorts, StoreUnderTest } from './store-under-test.js';
export { exactQuery, hourMs, lookupQuery, newEntry, serveQuery, unitVector } from './store-under-test.js';
