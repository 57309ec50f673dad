import type { IntentSpec, Offer } from './intent.js';
import { SHOP } from './shop.js';

function stepsOffer(topic: string, what: string): Offer {
  return {
    id: `steps.${topic}`,
    question: 'Shall I send you the steps by email?',
    done: () => `Done: the steps for ${what} are on their way to your inbox.`,
  };
}

/** Things done in the customer's own account; most come in pairs that differ by one word. */
export const ACCOUNT_INTENTS: readonly IntentSpec[] = [
  {
    id: 'password.reset',
    slots: [],
    acts: [
      'reset my password',
      'set a new password',
      'change my password',
      'get a new password',
      'choose another password',
    ],
    answer: () =>
      `Open ${SHOP.site}/sign-in, choose "New password" and follow the link that we send to your email address. The link works for 30 minutes.`,
    offer: stepsOffer('password', 'setting a new password'),
    takes: 'Setting a new password takes about two minutes once the link has arrived.',
    fee: 'No, a new password costs nothing.',
    because: 'The link expires quickly so that nobody who finds an old email can take over your account.',
    nearMisses: ['email.change', 'username.change'],
  },
  {
    id: 'username.change',
    slots: [],
    acts: [
      'change my username',
      'reset my username',
      'choose another username',
      'set a new username',
      'change my user name',
    ],
    answer: () =>
      'Go to Account > Profile, select the pencil next to your username and save the new one. The old name becomes free at once.',
    takes: 'A new user name is in force at once.',
    fee: 'No, you may change your username free of charge.',
    because: 'The name is freed at once so that nobody is kept waiting for it.',
    nearMisses: ['password.reset', 'email.change'],
  },
  {
    id: 'email.change',
    slots: [],
    acts: [
      'change my email address',
      'update my email address',
      'use another email address',
      'set a new email address',
    ],
    answer: () =>
      'Go to Account > Contact details, enter the new email address and confirm it with the code that we send there.',
    offer: stepsOffer('email', 'changing your email address'),
    takes: 'The new email address counts as soon as you enter the code.',
    fee: 'No, changing the email address is free.',
    because: 'The code shows us that the new mailbox really is yours.',
    nearMisses: ['password.reset', 'address.change'],
  },
  {
    id: 'address.change',
    slots: [],
    acts: [
      'change my delivery address',
      'update my delivery address',
      'use another delivery address',
      'set a new delivery address',
    ],
    answer: () =>
      'Under Account > Addresses you can edit your delivery address. It applies to orders placed after the change.',
    offer: stepsOffer('address', 'changing your delivery address'),
    takes: 'The new delivery address is used from your next order on.',
    fee: 'No, changing the delivery address is free.',
    because: 'Orders that are already being packed carry a printed label, so only later ones can use the new address.',
    nearMisses: ['billing.change', 'email.change'],
  },
  {
    id: 'billing.change',
    slots: [],
    acts: [
      'change my billing address',
      'update my billing address',
      'use another billing address',
      'set a new billing address',
    ],
    answer: () =>
      'The billing address is under Account > Payment > Invoices to. Invoices already issued keep the old one.',
    takes: 'The new billing address is printed from the next invoice on.',
    fee: 'No, changing the billing address is free.',
    because: 'The tax office does not let us alter an invoice once it is issued.',
    nearMisses: ['address.change'],
  },
  {
    id: 'account.open',
    slots: [],
    acts: ['open an account', 'create an account', 'register an account', 'set up an account'],
    answer: () =>
      `Select "Join" at ${SHOP.site}, enter your email address and pick a password; your account is ready at once.`,
    takes: 'Opening an account takes about three minutes.',
    fee: 'No, an account is free.',
    because: 'We ask for an email address because receipts are sent there.',
    nearMisses: ['account.close'],
  },
  {
    id: 'account.close',
    slots: [],
    acts: ['close my account', 'delete my account', 'remove my account'],
    answer: () =>
      'Under Account > Privacy choose "Close account" and confirm by password. Open orders are still delivered; the data is erased after 30 days.',
    offer: stepsOffer('close', 'closing your account'),
    takes: 'The account is closed at once and its data erased after 30 days.',
    fee: 'No, closing an account costs nothing.',
    because: 'We keep the data for 30 days in case an order is still on its way.',
    nearMisses: ['account.open'],
  },
  {
    id: 'alerts.on',
    slots: [],
    acts: ['turn on order alerts', 'switch on order alerts', 'enable order alerts', 'activate order alerts'],
    answer: () =>
      'Go to Account > Notifications and move the "Order alerts" slider to the right. You then get a text message at every step of a delivery.',
    takes: 'Order alerts start with your next delivery.',
    fee: 'No, order alerts are free.',
    because: 'We send them by text message because it arrives without an internet connection.',
    nearMisses: ['alerts.off', 'newsletter.on'],
  },
  {
    id: 'alerts.off',
    slots: [],
    acts: ['turn off order alerts', 'switch off order alerts', 'disable order alerts', 'deactivate order alerts'],
    answer: () =>
      'Go to Account > Notifications and move the "Order alerts" slider to the left. Parcels then travel without any text messages to you.',
    takes: 'Order alerts stop within an hour.',
    fee: 'No, stopping order alerts costs nothing.',
    because: 'Messages that are already queued can still arrive for an hour.',
    nearMisses: ['alerts.on', 'newsletter.off'],
  },
  {
    id: 'newsletter.on',
    slots: [],
    acts: ['subscribe to the newsletter', 'sign up for the newsletter', 'receive the newsletter'],
    answer: () =>
      `Enter your email address at ${SHOP.site}/news and confirm it. The newsletter comes on the first Tuesday of a month.`,
    takes: 'Your first newsletter comes on the first Tuesday of next month.',
    fee: 'No, the newsletter is free.',
    because: 'We ask for a confirmation so that nobody else can sign you up.',
    nearMisses: ['newsletter.off', 'alerts.on'],
  },
  {
    id: 'newsletter.off',
    slots: [],
    acts: ['unsubscribe from the newsletter', 'cancel the newsletter', 'stop the newsletter'],
    answer: () =>
      'At the bottom of every newsletter there is a line "Send me no more". One click there takes you off the list.',
    takes: 'You are off the list within a day.',
    fee: 'No, unsubscribing costs nothing.',
    because: 'Mails that are already being sent can still reach you for a day.',
    nearMisses: ['newsletter.on', 'alerts.off'],
  },
  {
    id: 'card.add',
    slots: [],
    acts: ['add a credit card', 'add a payment card', 'save a credit card'],
    answer: () =>
      'Under Account > Payment select "New card", type the number and confirm the test charge of zero in your banking app.',
    takes: 'A card can be used as soon as your bank has confirmed it.',
    fee: 'No, we charge nothing for paying by card.',
    because: 'The test charge of zero shows that the card is yours.',
    nearMisses: ['card.remove'],
  },
  {
    id: 'card.remove',
    slots: [],
    acts: ['remove a credit card', 'remove a payment card', 'delete a credit card'],
    answer: () =>
      'Under Account > Payment open the card and select the bin symbol. A card with an unpaid order stays until that order is settled.',
    takes: 'The card disappears at once.',
    fee: 'No, removing a card costs nothing.',
    because: 'An unpaid order still needs the card that it was placed with.',
    nearMisses: ['card.add'],
  },
  {
    id: 'twostep.on',
    slots: [],
    acts: ['turn on two-step sign-in', 'switch on two-step sign-in', 'enable two-step sign-in'],
    answer: () =>
      'Account > Security > Two-step sign-in > On. Scan the square code with an authenticator app and keep the recovery words on paper.',
    takes: 'Two-step sign-in is in force from your next sign-in on.',
    fee: 'No, two-step sign-in is free.',
    because: 'The recovery words let you in if you lose the phone.',
    nearMisses: ['twostep.off'],
  },
  {
    id: 'twostep.off',
    slots: [],
    acts: ['turn off two-step sign-in', 'switch off two-step sign-in', 'disable two-step sign-in'],
    answer: () =>
      'Account > Security > Two-step sign-in > Off, then confirm with one last code from the app. From then on the password alone opens the account.',
    takes: 'Two-step sign-in ends at once.',
    fee: 'No, it costs nothing.',
    because: 'We ask for a last code so that a thief with your password cannot weaken the account.',
    nearMisses: ['twostep.on'],
  },
];
