import type { GuardReason } from '../guard.types.js';
import { everythingAligns, oppositesAgree } from './checks/alignment.checks.js';
import { namesAgree, negationsAgree, negationsStandAlike, numbersAgree } from './checks/fact.checks.js';
import { knownCountsAgree, quantifiersAgree } from './checks/count.check.js';
import { ordersAgree } from './checks/order.check.js';
import { prepositionsGovernAlike } from './checks/preposition.check.js';
import { praisesAgree } from './checks/praise.check.js';
import {
  articlesAlike,
  inflectionsAgree,
  modalsAgree,
  ownersAgree,
  prepositionsAgree,
  pronounsAgree,
  questionTypesAgree,
  tensesAgree,
} from './checks/sentence.checks.js';
import type { Pair } from './pair.js';

/** A check on two analysed texts. */
export interface RuleCheck {
  readonly reason: GuardReason;
  /** What it asks, for `explain`. */
  readonly asks: string;
  readonly passes: (pair: Pair) => boolean;
}

/** The checks on the words, in order; the first that fails is the reason. */
export const RULE: readonly RuleCheck[] = [
  {
    reason: 'no-content',
    asks: 'both have content words',
    passes: ({ a, b }) => a.content.length > 0 && b.content.length > 0,
  },
  { reason: 'number', asks: 'the same numbers, dates and quantities', passes: numbersAgree },
  { reason: 'negation', asks: 'the same negations', passes: negationsAgree },
  { reason: 'name', asks: 'every name is in both', passes: namesAgree },
  { reason: 'question-type', asks: 'the same kind of question', passes: questionTypesAgree },
  { reason: 'tense', asks: 'the same tenses', passes: tensesAgree },
  { reason: 'modal', asks: 'the same modals', passes: modalsAgree },
  { reason: 'pronoun', asks: 'the same persons in the same roles', passes: pronounsAgree },
  { reason: 'preposition', asks: 'the same prepositions and conjunctions', passes: prepositionsAgree },
  { reason: 'opposite', asks: 'no word with an opposite is left over', passes: oppositesAgree },
  { reason: 'unaligned', asks: 'every word has a partner', passes: everythingAligns },
  { reason: 'opposite', asks: '"good" stands for "best" only where a choice is asked for', passes: praisesAgree },
  { reason: 'number', asks: 'one known thing is one in both', passes: knownCountsAgree },
  {
    reason: 'number',
    asks: '"some" and "any" alike in yes/no questions, "few" is not "a few"',
    passes: quantifiersAgree,
  },
  { reason: 'pronoun', asks: 'every possessor and pronoun stands before the same word', passes: ownersAgree },
  { reason: 'pronoun', asks: 'the same article or owner before a word', passes: articlesAlike },
  { reason: 'preposition', asks: 'every preposition governs the same word', passes: prepositionsGovernAlike },
  { reason: 'tense', asks: 'aligned words have the same tense', passes: inflectionsAgree },
  { reason: 'order', asks: 'the same order, or a harmless move', passes: ordersAgree },
  { reason: 'negation', asks: 'every negation stands before the same word', passes: negationsStandAlike },
];
