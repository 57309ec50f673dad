import { describe, expect, it } from 'vitest';
import { detectLanguage } from './detect.js';

describe('detectLanguage', () => {
  it.each([
    ['How do I patch a tent?', 'en'],
    ['capital of Malta?', 'en'],
    ['Find me a hotel in Rome', 'en'],
    ['How do I park a van?', 'en'],
    ['Was ist die Hauptstadt von Malta?', 'de'],
    ['Wie funktionieren Impfstoffe?', 'de'],
    ['Warum schnurren Katzen?', 'de'],
    ['¿Cuál es la capital de Malta?', 'und'],
    ['cual es la capital de Malta', 'und'],
    ['Quelle est la capitale de Malte ?', 'und'],
    ['Wat is de hoofdstad van Malta?', 'und'],
    ['Wie is de koning van Noorwegen?', 'und'],
    ['Hvad er hovedstaden i Malta?', 'und'],
    ['Qual è la capitale di Malta?', 'und'],
    ['Qual a capital de Malta?', 'und'],
    ['Vad är huvudstaden i Malta?', 'und'],
    ['Jaka jest stolica Malty?', 'und'],
    ['Malta apa ibu kotanya?', 'und'],
    ['Какая столица Мальты?', 'und'],
    ['马耳他的首都是哪里？', 'und'],
    ['xyzzy plugh', 'und'],
    ['', 'und'],
  ])('%s: %s', (text, language) => expect(detectLanguage(text)).toBe(language));
});
