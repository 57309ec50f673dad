import { describe, expect, it } from 'vitest';
import { isPersonal, isTimeDependent } from '../index.js';

describe('isTimeDependent', () => {
  it.each([
    "What is today's weather?",
    'What time is it in Lima?',
    'Is the library open now?',
    'Who is the current president of Chile?',
    'What is the latest version of Blender?',
    'What is the exchange rate of the euro?',
    'What happened yesterday?',
    'What films opened this week?',
    'Wie wird das Wetter morgen?',
    'Wie spät ist es?',
    '¿Qué hora es en Lima?',
    '¿Qué tiempo hace hoy en Madrid?',
    'Quelle heure est-il ?',
    'Quelle est la météo à Lyon demain ?',
    'Che tempo fa oggi a Roma?',
    'Que horas são em Lisboa?',
    'Hoe laat is het?',
    'Jaka jest pogoda dzisiaj?',
    'Hur blir vädret imorgon?',
    'Какая сегодня погода?',
    'Который час?',
    'Bugün hava nasıl?',
    'كيف الطقس اليوم؟',
    'आज मौसम कैसा है?',
    '今天天气怎么样？',
    '今日の天気は？',
    '오늘 날씨 어때?',
  ])('%s', (text) => expect(isTimeDependent(text)).toBe(true));

  it.each([
    'How do I patch a tent?',
    'What is the capital of Malta?',
    'What is a weather vane?',
    'When did the Titanic sink?',
    'How do I charge a battery?',
    'What is electric current?',
    'Wie koche ich ein Ei?',
    'Was ist die Hauptstadt von Malta?',
    '¿Cómo cocino arroz?',
    'Как сварить рис?',
    '如何煮饭？',
  ])('not: %s', (text) => expect(isTimeDependent(text)).toBe(false));

  it('looks at both ends of a long text', () => {
    const long = 'The boats wait in the lock and the crew plays cards. '.repeat(200);
    expect(isTimeDependent(`${long} What is the weather?`)).toBe(true);
    expect(isTimeDependent(`Is it raining now? ${long}`)).toBe(true);
    expect(isTimeDependent(long)).toBe(false);
  });
});

describe('isPersonal', () => {
  it.each([
    'Where is my order?',
    'When will my package arrive?',
    "What's my account balance?",
    'Has my refund been paid?',
    'How much do I owe?',
    'What is my IP address?',
    'What did I order last week?',
    'Show me my invoices',
    'Who am I?',
    'Can you check my booking?',
    'Wo ist mein Paket?',
    'Wie hoch ist mein Kontostand?',
    '¿Dónde está mi pedido?',
    'Où est ma commande ?',
    "Dov'è il mio ordine?",
    'Onde está meu pedido?',
    'Waar is mijn bestelling?',
    'Gdzie jest moje zamówienie?',
    'Var är min beställning?',
    'Где мой заказ?',
    'Siparişim nerede?',
    'أين طلبي؟',
    'मेरा ऑर्डर कहाँ है?',
    '我的订单在哪里？',
    '私の注文はどこですか？',
    '내 주문은 어디에 있나요?',
  ])('%s', (text) => expect(isPersonal(text)).toBe(true));

  it.each([
    'How do I cancel my subscription?',
    'Where can I find my order number?',
    'How do I reset my password?',
    'Why is my phone slow?',
    'What happens if I delete my account?',
    'What is an order?',
    'Where is the Louvre?',
    'Wie kündige ich mein Abo?',
    '¿Cómo cancelo mi suscripción?',
    'Как отменить подписку?',
    '如何取消订阅？',
  ])('not: %s', (text) => expect(isPersonal(text)).toBe(false));
});
