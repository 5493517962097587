import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { contact } from '#contract/sections/contact.ts';
import { skill } from '#contract/sections/skill.ts';
import { StatusToggle } from '#features/profile/StatusToggle.tsx';
import { whoSees } from '#features/profile/who-sees.ts';

describe('the status of a profile', () => {
  const words = (isActive: boolean) =>
    renderToStaticMarkup(<StatusToggle isActive={isActive} onChange={() => undefined} />).replace(/<[^>]*>/g, ' ');

  it('reads Active while others see it and Inactive while they do not', () => {
    expect(words(true)).toContain('Active');
    expect(words(false)).toContain('Inactive');
    expect(words(false)).not.toMatch(/\bActive\b/);
  });
});

describe('who sees a contact', () => {
  it('is told by its type, and of both types until one is chosen', () => {
    expect(whoSees(contact, { contact_type: 'basic' })).toBe('Who sees this: you and your connections');
    expect(whoSees(contact, { contact_type: 'representative' })).toBe('Who sees this: everyone');
    expect(whoSees(contact, { contact_type: null })).toBe(
      'Who sees this: you and your connections (Basic) or everyone (Representative)',
    );
  });

  it('is not told where everyone sees all rows', () => {
    expect(whoSees(skill, skill.example)).toBeNull();
  });
});
