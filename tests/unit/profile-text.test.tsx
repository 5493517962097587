import type { ComponentProps } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it, vi } from 'vitest';
import { contact } from '#contract/sections/contact.ts';
import { skill } from '#contract/sections/skill.ts';
import type { Item } from '#db/views.ts';
import { EditProfileForm } from '#features/profile/EditProfileForm.tsx';
import { StatusToggle } from '#features/profile/StatusToggle.tsx';
import { getVisibilityText } from '#features/profile/visibility-text.ts';
import type { FormSheet } from '#shared/forms/FormSheet.tsx';

vi.mock('#session/session.tsx', () => ({ useAccount: () => ({ engine: {} }) }));
vi.mock('#shared/queries/use-places.ts', () => ({ usePlaces: () => [] }));
vi.mock('#shared/queries/use-lookup.ts', () => ({ useLookup: () => [] }));
vi.mock('#shared/forms/FormSheet.tsx', () => ({
  FormSheet: ({ stored, toValues, children }: ComponentProps<typeof FormSheet>) =>
    children({ values: toValues(stored), errors: {}, change: () => undefined }),
}));

describe('the profile status', () => {
  const renderText = (isActive: boolean, isWithheld = false) =>
    renderToStaticMarkup(<StatusToggle {...{ isActive, isWithheld }} onChange={() => undefined} />).replace(
      /<[^>]*>/g,
      ' ',
    );

  it('reads Active when others can see the profile and Inactive when they cannot', () => {
    expect(renderText(true)).toContain('Active');
    expect(renderText(false)).toContain('Inactive');
    expect(renderText(false)).not.toMatch(/\bActive\b/);
  });

  it('does not read public while an active profile is withheld from others', () => {
    expect(renderText(true)).toContain('public');
    expect(renderText(true, true)).toContain('only you see it');
    expect(renderText(true, true)).not.toContain('public');
  });
});

describe('the audience of a contact', () => {
  it('depends on its type, and lists both types until one is chosen', () => {
    expect(getVisibilityText(contact, { contact_type: 'basic' })).toBe('Who sees this: you and your connections');
    expect(getVisibilityText(contact, { contact_type: 'representative' })).toBe(
      'Who sees this: everyone, but the number and the e-mail only if you say so in Settings',
    );
    expect(getVisibilityText(contact, { contact_type: null })).toBe(
      'Who sees this: you and your connections (Basic) or everyone (Representative)',
    );
  });

  it('is not shown when everyone sees all rows', () => {
    expect(getVisibilityText(skill, skill.example)).toBeNull();
  });
});

describe('the audience of the day rate', () => {
  it('is shown below its field', () => {
    const item: Item = {
      id: '7',
      key: '7',
      serverId: '7',
      type: 'profile',
      parent: null,
      state: 'saved',
      body: { per_day: 22_000 },
      aliases: [],
    };
    const html = renderToStaticMarkup(<EditProfileForm item={item} onClose={() => undefined} />);
    const input = /<input[^>]*name="per_day"[^>]*>/.exec(html)?.[0] ?? '';
    const hintId = /aria-describedby="([^"]*)"/.exec(input)?.[1];
    const [, hint] = new RegExp(`id="${hintId}"[^>]*>([^<]*)<`).exec(html) ?? [];
    expect(hint).toBe('Per day. Who sees this: your connections, and other members if you say so in Settings');
  });
});
