/** A key as it may be printed: what looks like a secret in the place of a key's name is not repeated. */
export function safeName(name: string): string {
  const plain = /^[A-Za-z][A-Za-z0-9_.-]{0,39}$/.test(name);
  const secretLike = /^(sk|pk|key|bearer|token)[-_]/i.test(name) || (/\d/.test(name) && name.length >= 20);
  return plain && !secretLike ? name : '(a name that is not shown)';
}
