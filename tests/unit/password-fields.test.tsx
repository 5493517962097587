import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { PasswordField } from '#ui/PasswordField.tsx';

test('a field for a password hides what is typed, and neither cuts it nor limits its characters', () => {
  const html = renderToStaticMarkup(
    <PasswordField name="password" label="Password" autoComplete="current-password" value="" onChange={() => {}} />,
  );
  const [input = ''] = /<input[^>]*>/.exec(html) ?? [];
  expect(input).toContain('type="password"');
  expect(input.toLowerCase()).toContain('autocomplete="current-password"');
  expect(input).not.toMatch(/maxlength|pattern=/i);
});

test('every field for a password tells password managers what it is for', () => {
  const fields = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx'))
    .flatMap(
      (name) =>
        readFileSync(path.join('src', name), 'utf8').match(/<(?:Text|Password)Field(?:(?!<\w+Field)[^])*?\/>/g) ?? [],
    )
    .filter((field) => /label="[^"]*password/i.test(field) || field.startsWith('<PasswordField'));
  expect(fields.length).toBeGreaterThanOrEqual(6);
  const wrong = fields.filter(
    (field) => !field.startsWith('<PasswordField') || !/autoComplete="(?:current|new)-password"/.test(field),
  );
  expect(wrong).toEqual([]);
  expect(fields.filter((field) => /onPaste|max=/.test(field))).toEqual([]);
});
