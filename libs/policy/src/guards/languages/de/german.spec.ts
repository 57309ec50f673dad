import { describe, expect, it } from 'vitest';
import { reduceText } from '../../analyse/tokenise.js';
import { german } from './index.js';
import { infinitiveOf, isPastForm } from './verb.js';

const reduced = (text: string) => {
  const { types, tokens } = reduceText(text, german);
  return `${types.join('+')}: ${tokens.filter((token) => token !== '¶').join(' ')}`;
};

describe('infinitiveOf', () => {
  it.each([
    ['setze', 'setzen'],
    ['ändere', 'ändern'],
    ['sammle', 'sammeln'],
    ['funktioniert', 'funktionieren'],
    ['arbeitet', 'arbeiten'],
    ['sammelt', 'sammeln'],
    ['isst', 'essen'],
    ['setzen', 'setzen'],
    ['schrieb', 'schrieb'],
  ])('%s: %s', (form, infinitive) => expect(infinitiveOf(form)).toBe(infinitive));

  it('tells past forms', () => {
    expect(['schrieb', 'gemacht', 'endete'].map(isPastForm)).toEqual([true, true, true]);
    expect(['schreibt', 'gehen', 'gesund'].map(isPastForm)).toEqual([false, false, false]);
  });
});

describe('bases', () => {
  it.each([
    ['Katzen', 'Katze'],
    ['Norwegens', 'Norwegen'],
    ['kleinen', 'kleines'],
    ['Autos', 'Auto'],
  ])('%s = %s', (a, b) => expect(german.bases(a.toLowerCase())).toEqual(german.bases(b.toLowerCase())));
  it.each([
    ['Reise', 'Reis'],
    ['Kohle', 'Kohl'],
    ['Haus', 'Haut'],
    ['schneller', 'schnell'],
    ['links', 'link'],
  ])('%s ≠ %s', (a, b) => expect(german.bases(a.toLowerCase())).not.toEqual(german.bases(b.toLowerCase())));
});

describe('a German sentence without its frame', () => {
  it.each([
    ['Wie setze ich mein Passwort zurück?', 'HOW: mein passwort zurücksetzen'],
    ['Können Sie mir sagen, wie ich mein Passwort zurücksetzen kann?', 'HOW: mein passwort zurücksetzen'],
    ['Was ist der beste Weg, mein Passwort zurückzusetzen?', 'HOW: mein passwort zurücksetzen'],
    ['Ich möchte mein Passwort zurücksetzen', 'WANT: mein passwort zurücksetzen'],
    ['Kannst du mir erklären, warum Katzen schnurren?', 'WHY: katzen schnurren'],
    ['Warum schnurren Katzen?', 'WHY: katzen schnurren'],
    ['Empfiehl mir ein gutes Buch', 'REQ: ein gutes buch empfehlen'],
    ['Wer hat Faust geschrieben?', 'WHO: autor von faust'],
    ['Wen liebt Anna?', 'WHOM: anna lieben'],
    ['Was isst Frösche?', 'WHAT: isst frösche'],
  ])('%s', (text, reading) => expect(reduced(text)).toBe(reading));
});
