import { RepriseError } from '@reprise/kernel';

/** Throws for a vector that its stratum cannot hold; `known` is the dimension of the stratum's vectors, if it has any. */
export function checkVector(vector: Float32Array, known: number | undefined): void {
  if (known !== undefined && known !== vector.length)
    throw new RepriseError('RP_ERR_INTERNAL', '(vector has another size than its stratum)');
  for (const value of vector) {
    if (!Number.isFinite(value))
      throw new RepriseError('RP_ERR_INTERNAL', '(A vector has a member that is not finite.)');
  }
}
