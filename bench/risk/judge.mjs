// Ground truth of sgd-ticketing: the `acceptable` (README) label and the general label; the judge itself is the simulator's.
import { SgdJudge, sgdFacts } from '@reprise/simulator';
import { readSchema } from './dataset.mjs';

let judge;
const known = () => (judge ??= new SgdJudge(readSchema()));

/** What the judge needs of each turn of a conversation. */
export const turnFacts = ({ turns }) => sgdFacts(turns);

/** The README label. */
export const acceptable = (cached, query) => known().acceptable(cached, query);

/** The general label. */
export const generallyAcceptable = (cached, query) => known().generallyAcceptable(cached, query);
