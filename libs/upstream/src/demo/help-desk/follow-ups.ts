import type { Slots } from './entities.js';
import { PhraseIndex, type Phrase } from './phrase-index.js';

/** Things said that mean something only after what came before. */
export type FollowUpKind =
  | 'price'
  | 'arrival'
  | 'colours'
  | 'colour'
  | 'warranty'
  | 'stock'
  | 'weight'
  | 'material'
  | 'clean'
  | 'cancel'
  | 'status'
  | 'ordinal'
  | 'ordinal-price'
  | 'same-order'
  | 'same-product'
  | 'same-day'
  | 'same-country'
  | 'same-currency'
  | 'price-in'
  | 'yes'
  | 'no'
  | 'duration'
  | 'fee'
  | 'why'
  | 'more'
  | 'repeat'
  | 'undo'
  | 'thanks'
  | 'bye'
  | 'hello';

export interface FollowUpSpec {
  kind: FollowUpKind;
  wordings: readonly string[];
}

export const FOLLOW_UPS: readonly FollowUpSpec[] = [
  {
    kind: 'price',
    wordings: [
      'How much is it?',
      'What does it cost?',
      'How much does it cost?',
      'And how much is it?',
      'What is its price?',
      "What's the price of it?",
      'Can you tell me how much it is?',
    ],
  },
  {
    kind: 'arrival',
    wordings: [
      'When will it arrive?',
      'When does it arrive?',
      'And when will it arrive?',
      'When will it get here?',
      'When can I expect it?',
      'Do you know when it will arrive?',
    ],
  },
  { kind: 'status', wordings: ['Where is it now?', 'And where is it?', 'Where is it?', 'Do you know where it is?'] },
  {
    kind: 'colours',
    wordings: [
      'What colours does it come in?',
      'Which colours does it come in?',
      'And what colours does it come in?',
      'What colours is it available in?',
    ],
  },
  {
    kind: 'colour',
    wordings: [
      'Does it come in {colour}?',
      'Can I get it in {colour}?',
      'Is there a {colour} one?',
      'And in {colour}?',
      'Do you have it in {colour}?',
    ],
  },
  {
    kind: 'warranty',
    wordings: [
      'How long is the warranty on it?',
      'How long is its warranty?',
      'And the warranty on it?',
      'What warranty does it have?',
    ],
  },
  {
    kind: 'stock',
    wordings: [
      'Is it in stock?',
      'Is it available?',
      'Do you have it in stock?',
      'Is it available now?',
      'And is it in stock?',
    ],
  },
  {
    kind: 'weight',
    wordings: ['How heavy is it?', 'How much does it weigh?', 'What does it weigh?', 'And how heavy is it?'],
  },
  { kind: 'material', wordings: ['What is it made of?', 'And what is it made of?', 'What material is it made of?'] },
  {
    kind: 'clean',
    wordings: ['How do I clean it?', 'How can I clean it?', "What's the best way to clean it?", 'How do I wash it?'],
  },
  {
    kind: 'cancel',
    wordings: ['How do I cancel it?', 'Can I cancel it?', 'How can I cancel it?', 'I want to cancel it.'],
  },
  {
    kind: 'ordinal',
    wordings: [
      'And the {rank} one?',
      'What about the {rank} one?',
      'How about the {rank} one?',
      'Tell me about the {rank} one.',
      'The {rank} one, please.',
    ],
  },
  {
    kind: 'ordinal-price',
    wordings: [
      'How much is the {rank} one?',
      'What does the {rank} one cost?',
      'How much does the {rank} one cost?',
      'And how much is the {rank} one?',
    ],
  },
  {
    kind: 'same-order',
    wordings: ['And order {order}?', 'What about order {order}?', 'And for order {order}?', 'How about order {order}?'],
  },
  {
    kind: 'same-product',
    wordings: ['And the {product}?', 'What about the {product}?', 'How about the {product}?', 'And for the {product}?'],
  },
  { kind: 'same-day', wordings: ['And on {day}?', 'What about {day}?', 'How about {day}?', 'And {day}?'] },
  {
    kind: 'same-country',
    wordings: ['And to {country}?', 'What about {country}?', 'And for {country}?', 'How about {country}?'],
  },
  {
    kind: 'same-currency',
    wordings: [
      'And in {currency}s?',
      'What about in {currency}s?',
      'In {currency}s, please?',
      'How about in {currency}s?',
    ],
  },
  {
    kind: 'price-in',
    wordings: [
      'How much is it in {currency}s?',
      'What does it cost in {currency}s?',
      'How much does it cost in {currency}s?',
    ],
  },
  { kind: 'yes', wordings: ['Yes', 'Yes, please.', 'Yes please', 'Sure', 'OK', 'Yes, do it.', 'Go ahead.'] },
  { kind: 'no', wordings: ['No', 'No, thanks.', 'No thank you.', 'Not now.', 'Nope'] },
  {
    kind: 'duration',
    wordings: [
      'How long does that take?',
      'How long will that take?',
      'And how long does it take?',
      'How long does this take?',
    ],
  },
  {
    kind: 'fee',
    wordings: [
      'Is there a fee for that?',
      'Is there a fee?',
      'Does that cost anything?',
      'Do I have to pay for that?',
      'Is that free?',
    ],
  },
  { kind: 'why', wordings: ['Why?', 'Why is that?', 'And why is that?', 'Why so?', 'Can you tell me why?'] },
  {
    kind: 'more',
    wordings: ['Tell me more.', 'Go on.', 'Continue.', 'Please continue.', 'Can you tell me more about that?'],
  },
  {
    kind: 'repeat',
    wordings: ['Can you say that again?', 'Could you repeat that?', 'Please repeat that.', 'Say that again, please.'],
  },
  {
    kind: 'undo',
    wordings: ['How do I undo that?', 'How can I undo that?', 'Can I undo that?', 'How do I reverse that?'],
  },
  {
    kind: 'thanks',
    wordings: [
      'Thanks!',
      'Thank you.',
      'Thank you very much.',
      'Thanks a lot!',
      'Great, thanks.',
      'Perfect, thank you.',
    ],
  },
  { kind: 'bye', wordings: ['Bye!', 'Goodbye.', 'Bye bye', 'Thanks, bye!', 'Thank you, goodbye.', 'See you later.'] },
  { kind: 'hello', wordings: ['Hello', 'Hi', 'Hi there', 'Good morning', 'Hey', 'Good evening'] },
];

/** Sayings made of courtesy words alone, which the phrase index does not see. */
const FIXED: readonly [FollowUpKind, readonly string[]][] = [
  ['thanks', ['thanks', 'thank you', 'thank you so much', 'thank you very much', 'thanks a lot']],
  ['hello', ['hello', 'hi', 'hey', 'hi there', 'hello there', 'good morning', 'good evening', 'good afternoon']],
  ['more', ['go on']],
  ['yes', ['please do', 'go ahead', 'go ahead please', 'do it', 'do it please', 'please do it']],
];

function* phrases(): Generator<Phrase<FollowUpKind>> {
  for (const { kind, wordings } of FOLLOW_UPS) for (const text of wordings) yield { id: kind, text };
}

const INDEX = new PhraseIndex(phrases());

/** A follow-up without any unexplained word, or undefined. */
export function readFollowUp(text: string): { kind: FollowUpKind; slots: Slots } | undefined {
  const bare = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  for (const [kind, sayings] of FIXED) if (sayings.includes(bare)) return { kind, slots: {} };
  const match = INDEX.match(text);
  return match === undefined || match.residual.length > 0 ? undefined : { kind: match.id, slots: match.slots };
}
