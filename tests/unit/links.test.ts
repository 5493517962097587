import { describe, expect, test } from 'vitest';
import { patchSchema } from '#contract/schema.ts';
import { experience } from '#contract/sections/experience.ts';
import { socialLink } from '#contract/sections/social_link.ts';

const year = () => 2026;
const read = (field: string, value: unknown) => patchSchema(socialLink, year).safeParse({ [field]: value });

describe('link fields', () => {
  test.each([
    ['instagram_url', '@meera.k', 'https://instagram.com/meera.k'],
    ['facebook_url', ' @meera ', 'https://facebook.com/meera'],
    ['threads_url', '@meera_k', 'https://threads.net/@meera_k'],
    ['youtube_url', '@meera-k', 'https://youtube.com/@meera-k'],
    ['youtube_url', 'youtube.com/@meera', 'https://youtube.com/@meera'],
    ['website_url', 'meera.example', 'https://meera.example'],
    ['website_url', 'www.meera.co.in/showreel?cut=2#top', 'https://www.meera.co.in/showreel?cut=2#top'],
    ['website_url', 'http://meera.example:8080/', 'http://meera.example:8080/'],
    ['website_url', 'https://medium.com/@meera', 'https://medium.com/@meera'],
    ['website_url', 'https://meera.example/?mail=a@b.example', 'https://meera.example/?mail=a@b.example'],
    ['website_url', '', null],
  ])('normalizes %s %j to %j', (field, typed, stored) => {
    expect(read(field, typed).data).toEqual({ [field]: stored });
  });

  test.each([
    ['website_url', '@meera'],
    ['website_url', 'meera'],
    ['website_url', 'meera@lantern.example'],
    ['website_url', 'https://callboard.example@evil.example/'],
    ['website_url', 'https://user:secret@meera.example'],
    ['website_url', 'https://@evil.example'],
    ['website_url', 'https:\\\\callboard.example@evil.example'],
    ['website_url', 'javascript:alert(1)'],
    ['website_url', 'ftp://meera.example'],
    ['instagram_url', '@meera kulkarni'],
    ['instagram_url', '@'],
    ['instagram_url', 7],
  ])('rejects %s %j', (field, typed) => {
    expect(read(field, typed).success).toBe(false);
  });

  test('normalizes the link of a credit', () => {
    expect(patchSchema(experience, year).parse({ link: 'lantern.example/bench' })).toEqual({
      link: 'https://lantern.example/bench',
    });
  });
});
