import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Imported first by main.ts. Left alone, V8 lets garbage grow to several times of what lives, because its limit is
 * gigabytes: the heap is collected at 1.4 times of what lived after the last full collection. The young generation may
 * grow to 48 MB by default, for garbage that a gateway's short requests never need (bench/http, "gateway memory").
 * What V8 reads only when it starts is given to it by those who start a gateway (tools/bootstrap/gateway-node.mjs).
 */
setFlagsFromString('--heap-growing-percent=40');
setFlagsFromString('--max-semi-space-size=4');
setFlagsFromString('--semi-space-growth-factor=1');

/**
 * One full collection, before anybody is served. It lets go of what only the start needed, and V8 computes its limits
 * from what lives only after the first one; until then it would let the heap grow freely.
 */
export function forgetStart(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
