import { createMemoryStore } from '@reprise/memory-store';
import { storeContract } from '@reprise/testing/contracts';

storeContract('memory', () => Promise.resolve(createMemoryStore({ nowMs: () => Date.now() })));
