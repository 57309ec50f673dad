import { type Fragment, LuaSourceError } from './model.js';

/**
 * The fragments that `roots` need, each once, in dependency order (ties by order of mention).
 * Throws on an unknown or a circular include, naming the circle.
 */
export function resolveIncludes(
  from: { readonly path: string; readonly includes: readonly string[] },
  fragments: ReadonlyMap<string, Fragment>,
): Fragment[] {
  const done = new Set<string>();
  const order: Fragment[] = [];
  const visit = (path: string, name: string, trail: readonly string[]): void => {
    if (trail.includes(name)) throw new LuaSourceError(path, `circular include ${[...trail, name].join(' -> ')}`);
    if (done.has(name)) return;
    const fragment = fragments.get(name);
    if (!fragment) throw new LuaSourceError(path, `unknown include ${name}`);
    for (const inner of fragment.includes) visit(fragment.path, inner, [...trail, name]);
    done.add(name);
    order.push(fragment);
  };
  for (const name of from.includes) visit(from.path, name, []);
  return order;
}
