/** Texts of the benchmark: our own, made from parts, so that no two requests are equal. */
const verbs = ['reset', 'change', 'update', 'cancel', 'delete', 'renew', 'print', 'download', 'upgrade', 'verify'];
const things = [
  'password',
  'email',
  'invoice',
  'subscription',
  'address',
  'card',
  'username',
  'profile',
  'receipt',
  'order',
  'ticket',
  'license',
  'account',
  'contract',
  'booking',
  'voucher',
  'calendar',
  'router',
  'printer',
  'domain',
];
const places = ['online', 'by phone', 'in the app', 'at the shop', 'abroad'];

/** The n-th of 1,000 stored questions. */
export const question = (n) =>
  `How do I ${verbs[n % 10]} my ${things[Math.floor(n / 10) % 20]} ${places[Math.floor(n / 200) % 5]}?`;

const greetings = ['', 'Hello, ', 'Hi, ', 'Hey, ', 'Please, '];
const closings = ['?', '??', ' ?', '', '!', ', please?', ', thanks', '? Thanks!', '? Thank you.', '...'];

/** The k-th other form of a stored question that the guard rule takes for the same: politeness and end marks only. */
export function variant(k) {
  const n = k % 1000;
  const form = Math.floor(k / 1000) % (greetings.length * closings.length);
  const core = question(n).slice(0, -1);
  const greeting = greetings[form % greetings.length];
  const text = greeting === '' ? core : core[0].toLowerCase() + core.slice(1);
  return greeting + text + closings[Math.floor(form / greetings.length)];
}

/** A question that no other request asks. */
export const unseen = (k) => `Which shelf holds part ${k} of series ${(k * 7919) % 10007}?`;

export const chatBody = (text, stream = false) =>
  JSON.stringify({
    model: 'reprise-demo',
    messages: [{ role: 'user', content: text }],
    ...(stream ? { stream: true } : {}),
  });
