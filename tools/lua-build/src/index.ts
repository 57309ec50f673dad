export { buildFiles, readSources, staleFiles } from './build.js';
export { engineLibrary, opsLibrary, scriptSource } from './emit-lua.js';
export { LuaSourceError, type Command, type Fragment, type Sources } from './model.js';
export { parseCommand, parseFragment, parseStatuses } from './parse.js';
export { resolveIncludes } from './resolve.js';
