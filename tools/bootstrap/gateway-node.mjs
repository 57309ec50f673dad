// How Node is started for a gateway; the Dockerfile and docker-compose.yml say the same.

/**
 * What V8 reads only when it starts: a young generation of 4 MB halves instead of 16, and a first full collection near
 * what the program itself takes. apps/gateway/src/v8-limits.ts sets the rest.
 */
export const gatewayNodeArgs = ['--max-semi-space-size=4', '--initial-old-space-size=40'];

/**
 * By default glibc gives every thread a heap of its own and returns little of it: one heap saves 25 to 35 MB in a gateway
 * (bench/http, "gateway memory"). An operator's own setting stands. Means nothing to other C libraries.
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
export const withGatewayMalloc = (env) => ({ MALLOC_ARENA_MAX: '1', ...env });
