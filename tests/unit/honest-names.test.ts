import { describe, expect, test } from 'vitest';
import { hasHiddenCharacters, isOfficialName } from '#server/platform/http/display-names.ts';

describe('a name', () => {
  test.each([
    'Callboard',
    'Callboard Support',
    'Call Board Team',
    'The Callboards',
    'Admin',
    'ADMIN',
    'Аdmin',
    'αdmin',
    'adm1n',
    'Admin 123',
    'admin2026',
    'ａｄｍｉｎ',
    'Ádmin',
    'a d m i n',
    'M-O-D-E-R-A-T-O-R',
    'Meera Official',
    'Ѕupport desk',
    'Ca11board',
    'c@llb0ard',
    'Moderator Rao',
  ])('like %j is reserved', (name) => {
    expect(isOfficialName(name)).toBe(true);
  });

  test.each([
    'Meera Kulkarni',
    'Sadmin Begum',
    'Admira Nair',
    'Badminton Rao',
    'Modi',
    'Supporta',
    'Zoë D’Souza',
    'Ólafur Arnalds',
    'मीरा कुलकर्णी',
    'Анна Каренина',
    'Iyengar',
    'J. J. Rao',
    'A R Rahman',
    'Callbo',
  ])('like %j is free', (name) => {
    expect(isOfficialName(name)).toBe(false);
    expect(hasHiddenCharacters(name)).toBe(false);
  });

  test.each([
    ['a bidirectional override', 'Meera \u202Egnp.oar'],
    ['an isolate', '\u2066Meera\u2069'],
    ['a zero-width space', 'Mee\u200Bra'],
    ['a joiner among Latin letters', 'Mee\u200Dra'],
    ['a byte order mark', '\uFEFFMeera'],
    ['a soft hyphen', 'Mee\u00ADra'],
    ['a line break', 'Meera\nRao'],
    ['a control character', 'Meera\u0007'],
    ['a letter that is blank', '\u3164'],
  ])('with %s is refused', (_, name) => {
    expect(hasHiddenCharacters(name)).toBe(true);
  });

  test.each(['शक्‍ति', 'دل‌آرا', 'രാജന്‍'])('of a script that is written with joiners (%s) is taken', (name) => {
    expect(name).toMatch(/[\u200C\u200D]/);
    expect(hasHiddenCharacters(name)).toBe(false);
  });
});
