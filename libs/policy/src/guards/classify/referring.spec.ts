import { describe, expect, it } from 'vitest';
import { isReferring } from '../index.js';

const REFERRING: Readonly<Record<string, readonly string[]>> = {
  en: [
    'yes',
    'Yes, please.',
    'continue',
    'Go on!',
    'do it',
    'the second one',
    'The red one please',
    'how much is it?',
    'what about him?',
    'And for kids?',
    'Why?',
    'When was he born?',
    'Translate it to French',
    'make it shorter',
    'What did you say before?',
    'in Python',
    'Can you explain that again?',
    'How do I get there?',
    'Does it work on Windows 11?',
    'Is she married?',
    'What color is it?',
    'no, the other one',
    'which one is better?',
    'Give me another example',
    'ok thanks',
    'option 2',
    '2',
    'it',
  ],
  de: [
    'ja',
    'weiter',
    'mach das',
    'Und was kostet das?',
    'Wie alt ist er?',
    'das zweite',
    'Kannst du das kürzer machen?',
    'Übersetze es',
    'Warum?',
  ],
  es: ['sí', 'continúa', '¿Cuánto cuesta?', '¿Y él?', 'el segundo', '¿Cuándo nació él?', 'hazlo'],
  fr: ['oui', 'continue', 'Combien ça coûte ?', 'et lui ?', 'le deuxième', 'Quel âge a-t-il ?', 'pourquoi ?'],
  it: ['sì', 'vai avanti', 'Quanto costa?', 'e lui?', 'il secondo'],
  pt: ['sim', 'continua', 'Quanto custa?', 'e ele?', 'o segundo'],
  nl: ['ja', 'ga verder', 'Hoeveel kost het?', 'en hij?', 'de tweede'],
  pl: ['tak', 'kontynuuj', 'Ile to kosztuje?', 'a on?', 'drugi'],
  sv: ['ja', 'fortsätt', 'Hur mycket kostar det?', 'den andra'],
  ru: ['да', 'продолжай', 'Сколько это стоит?', 'а он?', 'второй', 'Когда он родился?'],
  tr: ['evet', 'devam et', 'o ne kadar?', 'ikincisi'],
  ar: ['نعم', 'استمر', 'كم سعره؟', 'الثاني', 'وماذا عنه؟'],
  hi: ['हाँ', 'जारी रखें', 'यह कितने का है?', 'दूसरा'],
  zh: ['是的', '继续', '它多少钱？', '他呢？', '第二个'],
  ja: ['はい', '続けて', 'それはいくらですか？', '彼は？', '二番目'],
  ko: ['네', '계속', '그건 얼마예요?', '두 번째'],
};

const SELF_CONTAINED = [
  'How do I reset my password?',
  'What is the capital of Malta?',
  'Is it safe to eat raw eggs?',
  'What time is it in Tokyo?',
  'How does a vaccine work and is it safe?',
  'How do cats clean their fur?',
  'My phone is slow, how do I fix it?',
  'reset password',
  'How long does it take to boil an egg?',
  'Explain recursion',
  'Which countries border Chad?',
  'Summarize this: "The boat left at dawn."',
  'Wie setze ich mein Passwort zurück?',
  'Wie spät ist es in Tokio?',
  '¿Cuál es la capital de Malta?',
  'Quelle est la capitale de Malte ?',
  'Come posso reimpostare la password?',
  'Como faço para redefinir minha senha?',
  'Hoe reset ik mijn wachtwoord?',
  'Jak zresetować hasło?',
  'Hur återställer jag mitt lösenord?',
  'Как сбросить пароль?',
  'Şifremi nasıl sıfırlarım?',
  'كيف أعيد تعيين كلمة المرور؟',
  'पासवर्ड कैसे रीसेट करें?',
  '如何重置密码？',
  'パスワードをリセットする方法は？',
  '비밀번호를 재설정하는 방법은?',
];

describe('isReferring', () => {
  it('knows sixteen languages', () => expect(Object.keys(REFERRING)).toHaveLength(16));

  it.each(Object.entries(REFERRING))('%s', (_, messages) => {
    for (const message of messages) expect(isReferring(message), message).toBe(true);
  });

  it.each(SELF_CONTAINED)('not: %s', (text) => expect(isReferring(text)).toBe(false));

  it.each(['', '   ', '?', '👍', '…', '42'])('what has no letters says nothing alone: %j', (text) =>
    expect(isReferring(text)).toBe(true),
  );

  it('a long message says what it is about', () => {
    expect(isReferring(`${'The boats wait in the lock until it opens. '.repeat(6)}Why does it?`)).toBe(false);
  });
});
