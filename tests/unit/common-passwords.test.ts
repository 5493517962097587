import { describe, expect, test } from 'vitest';
import { getWeakness } from '#server/features/account/common-passwords.ts';

const RADHA = { name: 'Radha Menon', email: 'radha.m@lanternhouse.example' };

describe('a new password', () => {
  test.each([
    'iloveyou2026',
    'Passw0rd!23',
    'Summer2026!',
    'password12345',
    'P@$$w0rd2026',
    '!!dragon1987',
    '2026monsoon!!',
    'l3tm31n2026!',
    'Passwordpassword1',
    'qwertyuiop',
    '1qaz2wsx3edc',
    'pass word 123',
    'ｉｌｏｖｅｙｏｕ２０２６',
    'Bollywood@99',
    'abcabcabcabc',
    '1234567890',
    'asdfghjkl123',
  ])('%j is refused: many use it', (password) => {
    expect(getWeakness(password, RADHA)).toBe('common');
  });

  test.each([
    'RadhaMenon2026',
    'menon.radha!1',
    'R4dha-M3non-26',
    'radha.m@lanternhouse.example',
    'Lanternhouse.example',
    'Radha Menon 1',
  ])('%j is refused: it is the person’s own name or address', (password) => {
    expect(getWeakness(password, RADHA)).toBe('own');
  });

  test.each([
    'the ghost light stays on',
    'curtain up at eight',
    'a lantern under the stairs',
    'radha loves kathak in june',
    'summer of the seventeenth doll',
    'x7Kq-93mv-Lw2p',
    'dragon8461930275518',
    'नाटक मंडली २०२६',
    'h7k2-m9pq-w4xz-c3vb',
  ])('%j is taken', (password) => {
    expect(getWeakness(password, RADHA)).toBeNull();
  });
});
