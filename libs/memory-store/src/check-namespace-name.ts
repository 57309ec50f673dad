import { RepriseError } from '@reprise/kernel';

/** The names that the Redis adapter accepts: they cannot leave their hash tag. */
export function checkNamespaceName(ns: string): void {
  if (!/^[^{}\p{Cc}]{1,200}$/u.test(ns))
    throw new RepriseError('RP_ERR_BAD_REQUEST', 'The namespace name is not valid.');
}
