import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeFingerprint, encodeFingerprint, parseFingerprint } from '../index.js';
import { answerGuard } from './answer-guard.js';
import { answerPrint, encodeAnswerPrint, namedSpecifics } from './answer-print.js';
import type { SpokenText } from './answer.types.js';

/** Messages that alternate between user and assistant; a first one in brackets is the system's. */
function talk(...texts: readonly string[]): SpokenText[] {
  const framed = texts[0]?.startsWith('[') === true;
  return texts.map((text, at) => {
    if (framed && at === 0) return { role: 'system', text: text.slice(1, -1) };
    return { role: (at - (framed ? 1 : 0)) % 2 === 0 ? 'user' : 'assistant', text };
  });
}

interface Case {
  readonly stored: readonly string[];
  readonly answer: string;
  readonly asker: readonly string[];
}

const verdict = ({ stored, answer, asker }: Case) =>
  answerGuard(namedSpecifics(talk(...asker)), answerPrint(answer, talk(...stored)));

const order = (id: string, then: string): string[] => [
  `Where is order ${id}?`,
  `Order ${id} left our depot on Tuesday.`,
  then,
];

describe('an answer with specifics of another conversation', () => {
  const foreign: readonly [string, Case][] = [
    [
      'an order number behind a pronoun',
      {
        stored: order('48213', 'How do I cancel it?'),
        answer: 'To cancel order 48213, open it and choose Stop.',
        asker: order('48214', 'How do I cancel it?'),
      },
    ],
    [
      'an identifier with letters',
      {
        stored: ['My ticket is A-1042.', 'Thanks.', 'Is it open?'],
        answer: 'Yes, A-1042 is open.',
        asker: ['My ticket is A-1043.', 'Thanks.', 'Is it open?'],
      },
    ],
    [
      'an identifier in another spelling',
      {
        stored: ['My ticket is a 1042.', 'Thanks.', 'Is it open?'],
        answer: 'Yes, A-1042 is open.',
        asker: ['My ticket is A-1043.', 'Thanks.', 'Is it open?'],
      },
    ],
    [
      'a number in groups',
      {
        stored: ['Account 482 133 91', 'Found it.', 'What is its state?'],
        answer: 'Account 48213391 is active.',
        asker: ['Account 482 133 92', 'Found it.', 'What is its state?'],
      },
    ],
    [
      'the end of a card number',
      {
        stored: ['My card is 4111111111114821', 'Thanks.', 'Is it blocked?'],
        answer: 'The card ending in 4821 is not blocked.',
        asker: ['My card is 4111111111119999', 'Thanks.', 'Is it blocked?'],
      },
    ],
    [
      'a product',
      {
        stored: ['Tell me about the lumo desk lamp', 'It is small.', 'How much is it?'],
        answer: 'The Lumo desk lamp costs 39 euros.',
        asker: ['Tell me about the brisa fan', 'It is small.', 'How much is it?'],
      },
    ],
    [
      'a person in the genitive',
      {
        stored: ['Ich bin Anna.', 'Hallo!', 'Was ist mit dem Vertrag?'],
        answer: 'Zum Vertrag liegt Annas Kündigung vor.',
        asker: ['Ich bin Clara.', 'Hallo!', 'Was ist mit dem Vertrag?'],
      },
    ],
    [
      'a person in Russian',
      {
        stored: ['Меня зовут Анна.', 'Здравствуйте!', 'Когда встреча?'],
        answer: 'Встреча для Анны назначена.',
        asker: ['Меня зовут Вера.', 'Здравствуйте!', 'Когда встреча?'],
      },
    ],
    [
      'a place in French',
      {
        stored: ['Je vais à Lyon.', 'Bon voyage !', 'Combien ça coûte ?'],
        answer: 'Le billet pour Lyon coûte 40 euros.',
        asker: ['Je vais à Nantes.', 'Bon voyage !', 'Combien ça coûte ?'],
      },
    ],
    [
      'a city in Japanese',
      {
        stored: ['東京に行きます', 'はい', 'いくらですか'],
        answer: '東京までは安いです',
        asker: ['大阪に行きます', 'はい', 'いくらですか'],
      },
    ],
    [
      'a name in Arabic',
      {
        stored: ['اسمي يوسف', 'أهلا', 'متى الموعد؟'],
        answer: 'موعد السيد يوسف غدا',
        asker: ['اسمي خالد', 'أهلا', 'متى الموعد؟'],
      },
    ],
    [
      'digits of another script',
      {
        stored: ['طلب رقم ٤٨٢١٣', 'نعم', 'أين هو؟'],
        answer: 'الطلب 48213 في الطريق',
        asker: ['طلب رقم ٤٨٢١٤', 'نعم', 'أين هو؟'],
      },
    ],
    [
      'a weekday',
      {
        stored: ['Can I come on Sunday?', 'Yes.', 'Until when?'],
        answer: 'On Sunday until noon.',
        asker: ['Can I come on Monday?', 'Yes.', 'Until when?'],
      },
    ],
    [
      'a count in words',
      {
        stored: ['I have three children.', 'Nice.', 'Which ticket?'],
        answer: 'The family ticket for three children.',
        asker: ['I have two children.', 'Nice.', 'Which ticket?'],
      },
    ],
    [
      'an address',
      {
        stored: ['I am anna@home.example', 'Hello.', 'Where does it go?'],
        answer: 'It goes to anna@home.example.',
        asker: ['I am vera@home.example', 'Hello.', 'Where does it go?'],
      },
    ],
    [
      'a currency that the other had asked for',
      {
        stored: ['What does delivery cost in dollars?'],
        answer: 'Delivery is $6.',
        asker: ['What does delivery cost?'],
      },
    ],
    [
      'a masked date of the system prompt',
      {
        stored: ['[Today is 2026-11-30.]', 'Which day is it?'],
        answer: 'It is 2026-11-30.',
        asker: ['[Today is 2026-12-01.]', 'Which day is it?'],
      },
    ],
  ];
  it.each(foreign)('is refused: %s', (_, given) => {
    expect(verdict(given)).toBe('foreign-specifics');
    // Whoever had named it gets it.
    expect(verdict({ ...given, asker: given.stored })).toBeUndefined();
  });
});

describe('an answer in another currency than the one asked for', () => {
  it.each([
    ['How much is the Kessa kettle in dollars?', 'The Kessa kettle costs 39 euros.'],
    ['How much is the Kessa kettle in USD?', 'The Kessa kettle costs €39.'],
    ['Was kostet der Kessa in Dollar?', 'Der Kessa kostet 39 Euro.'],
    ['¿Cuánto cuesta Kessa en dólares?', 'Kessa cuesta 39 euros.'],
    ['Сколько стоит Kessa в долларах?', 'Kessa стоит 39 евро.'],
    ['Kessaは何ドルですか', 'Kessaは39ユーロです'],
    ['Kessaはいくらですか、ドルで', 'Kessaは39€です'],
  ])('is refused: %s', (question, answer) => {
    const stored = [question.replace(/dollars|USD|Dollar|dólares|долларах|ドル/u, '')];
    expect(verdict({ stored, answer, asker: [question] })).toBe('currency');
    expect(verdict({ stored: [question], answer, asker: [question] })).toBeUndefined();
  });

  it('the currency asked for last counts, also further up', () => {
    const answer = 'The fan is 20 euros.';
    const before = ['Prices in euros, please.', 'Sure.', 'Now in dollars.', 'Sure.', 'The fan?'];
    expect(verdict({ stored: ['The fan?'], answer, asker: before })).toBe('currency');
    expect(verdict({ stored: ['The fan?'], answer: 'It is in stock.', asker: before })).toBeUndefined();
  });
});

describe('a general answer', () => {
  it.each([
    {
      stored: ['What does it cost to send a parcel?'],
      answer: 'A parcel is 4.90 euros.',
      asker: ['Price of a parcel?'],
    },
    {
      stored: ['How do I close my account?'],
      answer: 'Go to Account > Privacy. The data is erased after 30 days.',
      asker: ['How can I delete my profile?'],
    },
    {
      stored: ['Where is order 48213?', 'On its way.', 'Thanks, bye'],
      answer: 'Goodbye, and have a pleasant day!',
      asker: ['Where is order 48214?', 'On its way.', 'Thanks, bye'],
    },
    {
      stored: ['Wie setze ich das Passwort zurück?'],
      answer: 'Öffne die Einstellungen; das Passwort gilt 30 Tage.',
      asker: ['Wie ändere ich das Kennwort?'],
    },
    {
      stored: ['Comment ouvrir un compte ?'],
      answer: 'Votre compte est gratuit.',
      asker: ['Comment créer un compte ?'],
    },
    {
      stored: ['[You serve Tidewick.]', 'Who are you?'],
      answer: 'I am the help desk of Tidewick.',
      asker: ['[You serve Tidewick.]', 'Who is this?'],
    },
    { stored: ['Boil 2 eggs'], answer: 'Put 2 eggs into hot water.', asker: ['Boil two eggs'] },
    {
      stored: ['23 Eier kochen'],
      answer: '23 Eier brauchen Platz.',
      asker: ['dreiundzwanzig (twenty-three) Eier kochen'],
    },
    { stored: ['返品の方法は'], answer: '30日以内に返品できます', asker: ['返品の方法は'] },
  ])('is not in the way: $answer', (given) => {
    expect(verdict(given)).toBeUndefined();
  });
});

describe('what is kept of an answer', () => {
  const many = Array.from({ length: 200 }, (_, at) => `N${1000 + at}`).join(' ');

  it('is bounded, and what does not fit can serve nobody else', () => {
    const print = answerPrint(many, talk(many));
    expect([print.tooMany, encodeAnswerPrint(print)]).toEqual([true, '*||']);
    expect(answerGuard(namedSpecifics(talk(many)), print)).toBe('foreign-specifics');
    const long = answerPrint('yes', talk('x'.repeat(300_000)));
    expect(long.tooMany).toBe(true);
    const most = answerPrint(many.slice(0, 96 * 6), talk(many));
    expect(most.tooMany).toBe(false);
    expect(encodeAnswerPrint(most).length).toBeLessThan(800);
  });

  it('is read back with the fingerprint, and an entry without it is refused', () => {
    const print = answerPrint('Order 48213 costs $6.', talk('What is order 48213 in dollars?'));
    const stored = encodeFingerprint({ ...parseFingerprint('Where is it?'), answer: print });
    expect(decodeFingerprint(stored)?.answer).toEqual(print);
    expect(stored).not.toContain('48213');
    const plain = decodeFingerprint(encodeFingerprint(parseFingerprint('Where is it?')));
    expect(plain?.answer).toBeUndefined();
    expect(answerGuard(namedSpecifics([]), undefined)).toBe('foreign-specifics');
  });

  it('an operator may switch both walls off', () => {
    const print = answerPrint('Order 48213 costs 6 euros.', talk('What is order 48213?'));
    const asker = namedSpecifics(talk('What is it in dollars?'));
    const off = (...names: readonly ('foreign-specifics' | 'currency')[]) =>
      answerGuard(asker, print, { disabled: new Set(names) });
    expect([off(), off('foreign-specifics'), off('foreign-specifics', 'currency')]).toEqual([
      'foreign-specifics',
      'currency',
      undefined,
    ]);
  });
});

describe('any text', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc
      .array(
        fc.constantFrom('Anna', 'order', '48213', 'A-1042', '$6', 'евро', '東京', '3.10', 'Monday', '\ud800', '|', '*'),
        {
          maxLength: 12,
        },
      )
      .map((words) => words.join(' ')),
  );
  const said = fc.array(text, { minLength: 1, maxLength: 5 });

  it('an answer always serves its own conversation, and any that said the same and more', () => {
    fc.assert(
      fc.property(said, text, text, (stored, answer, more) => {
        const print = answerPrint(answer, talk(...stored));
        expect(answerGuard(namedSpecifics(talk(...stored)), print)).toBeUndefined();
        const longer = [...talk(...stored), { role: 'tool', text: more }];
        expect(answerGuard(namedSpecifics(longer), print)).toBeUndefined();
      }),
    );
  });

  it('a number that only the other conversation named never reaches anybody', () => {
    const number = fc.integer({ min: 10_000, max: 99_999 }).map(String);
    const place = fc.constantFrom('order %', 'No. %,', '(%)', '№%', '注文%番', '#%', '%kg', 'id:%');
    fc.assert(
      fc.property(number, number, place, place, text, (own, other, asked, given, after) => {
        fc.pre(own !== other && !after.normalize('NFKC').includes(other));
        const stored = talk(asked.replace('%', other), 'Yes.', after);
        const print = answerPrint(`It is ${given.replace('%', other)} indeed`, stored);
        const asker = namedSpecifics(talk(asked.replace('%', own), 'Yes.', after));
        expect(answerGuard(asker, print)).toBe('foreign-specifics');
      }),
    );
  });

  it('survives the store', () => {
    fc.assert(
      fc.property(said, text, (stored, answer) => {
        const print = answerPrint(answer, talk(...stored));
        const fingerprint = { ...parseFingerprint('a'), answer: print };
        expect(decodeFingerprint(encodeFingerprint(fingerprint))).toEqual(fingerprint);
      }),
    );
  });
});
