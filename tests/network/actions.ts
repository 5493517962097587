import { expect, type Locator, type Page } from '@playwright/test';
import { SKILL_LEVELS } from '#contract/sections/skill.ts';
import {
  addCredit,
  addPhotos,
  addSkill,
  card,
  chooseFromRowMenu,
  row,
  save,
  sheet,
  writeAboutMe,
} from '../e2e/support/actions.ts';
import { noisePicture } from '../e2e/support/pictures.ts';
import { countMessage } from '../e2e/support/client-store.ts';
import { type Action, openOwnProfile, openUntil, type Player } from './player.ts';

const LEVELS = SKILL_LEVELS.map(({ label }) => label);
const CITIES = ['Pune', 'Nagpur', 'Kochi', 'Jaipur', 'Indore', 'Mysuru'] as const;

/** The credit that exists from the start, and that every browser of the member edits. */
export const SHARED_CREDIT = 'The Long Monsoon';

const createName = (player: Player, what: string) => {
  player.count += 1;
  return `${what} ${player.name} ${String(player.count).padStart(2, '0')}`;
};

/** Confirmed records that this browser created. Each browser changes only its own. */
const getOwnRecords = (player: Player, kind: string) =>
  player.ledger.getConfirmed(kind).filter(({ name }) => name.includes(` ${player.name} `));

/** Expands a card to all its rows. */
export async function showAllRows(page: Page, title: string): Promise<void> {
  const button = card(page, title).getByRole('button', { name: /^Show all/ });
  if (await button.isVisible()) await button.click();
}

/** Finds an own photo in a page or card. */
export const findPhoto = (where: Page | Locator, name: string) =>
  where.getByRole('button', { name: new RegExp(`^${name}`) });

/** Opens the own profile and finds a row of a card. */
async function findRow(player: Player, title: string, name: string): Promise<Locator> {
  const { page } = player.device;
  await openOwnProfile(player);
  await expect(card(page, title)).toBeVisible();
  await showAllRows(page, title);
  const found = row(card(page, title), name);
  await expect(found).toBeVisible();
  return found;
}

const addsSkill: Action = {
  name: 'adds a skill',
  async run(player) {
    const name = createName(player, 'Skill');
    const level = player.prng.pick(LEVELS);
    await openOwnProfile(player);
    const done = player.ledger.change({ kind: 'skill', name }, level);
    await addSkill(player.device.page, name, level);
    done();
  },
};

const editsSkill: Action = {
  name: 'edits a skill',
  async run(player) {
    const { page } = player.device;
    const skills = getOwnRecords(player, 'skill');
    if (skills.length === 0) return addsSkill.run(player);
    const { name, value } = player.prng.pick(skills);
    const level = player.prng.pick(LEVELS.filter((each) => each !== value));
    await chooseFromRowMenu(page, await findRow(player, 'Skills', name), 'Edit');
    await sheet(page, 'Edit skill').getByText(level, { exact: true }).click();
    const done = player.ledger.change({ kind: 'skill', name }, level);
    await save(page, 'Edit skill');
    done();
  },
};

const deletesSkill: Action = {
  name: 'deletes a skill',
  async run(player) {
    const { page } = player.device;
    const skills = getOwnRecords(player, 'skill');
    if (skills.length === 0) return addsSkill.run(player);
    const { name } = player.prng.pick(skills);
    const found = await findRow(player, 'Skills', name);
    const done = player.ledger.change({ kind: 'skill', name }, null);
    await chooseFromRowMenu(page, found, 'Delete');
    await expect(found).toHaveCount(0);
    done();
  },
};

const undoesDelete: Action = {
  name: 'deletes a credit and undoes it',
  async run(player) {
    const { page } = player.device;
    const credits = getOwnRecords(player, 'role in');
    if (credits.length === 0) return addsCredit.run(player);
    const { name } = player.prng.pick(credits);
    const found = await findRow(player, 'Credits', name);
    const facts = ['role in', 'director of'].map((kind) => {
      const before = player.ledger.getConfirmed(kind).find((fact) => fact.name === name)?.value ?? null;
      return { fact: { kind, name }, before };
    });
    const gone = facts.map(({ fact }) => player.ledger.change(fact, null));
    await chooseFromRowMenu(page, found, 'Delete');
    const undo = page.getByRole('complementary', { name: 'Message' }).getByRole('button', { name: 'Undo' });
    const isPressed = await undo.click().then(
      () => true,
      (error: unknown) => {
        // Undo is offered for four seconds, which a busy machine can miss.
        if (page.isClosed()) throw error;
        return false;
      },
    );
    const tooLate = page.getByText('It was already sent and can’t be undone').first();
    if (isPressed) await expect(found.or(tooLate).first()).toBeVisible();
    const isBack = isPressed && !(await tooLate.isVisible());
    if (isBack) facts.forEach(({ fact, before }) => player.ledger.change(fact, before)());
    else gone.forEach((done) => done());
  },
};

const addsCredit: Action = {
  name: 'adds a credit',
  async run(player) {
    const name = createName(player, 'Film');
    const [role, director] = [createName(player, 'Role'), createName(player, 'Director')];
    await openOwnProfile(player);
    const done = [
      player.ledger.change({ kind: 'role in', name }, role),
      player.ledger.change({ kind: 'director of', name }, director),
    ];
    await addCredit(player.device.page, { project: name, role, director });
    done.forEach((each) => each());
  },
};

/** Changes one field of a credit. */
async function editCredit(player: Player, name: string, label: 'Role' | 'Director'): Promise<void> {
  const { page } = player.device;
  const value = createName(player, label);
  await chooseFromRowMenu(page, await findRow(player, 'Credits', name), 'Edit');
  await sheet(page, 'Edit credit').getByLabel(label).fill(value);
  const done = player.ledger.change({ kind: label === 'Role' ? 'role in' : 'director of', name }, value);
  await save(page, 'Edit credit');
  done();
}

const editsCredit: Action = {
  name: 'edits a credit',
  async run(player) {
    const credits = getOwnRecords(player, 'role in');
    if (credits.length === 0) return addsCredit.run(player);
    await editCredit(player, player.prng.pick(credits).name, player.prng.pick(['Role', 'Director']));
  },
};

const editsSharedCredit: Action = {
  name: 'edits the credit that the other browser also edits',
  run: (player) => editCredit(player, SHARED_CREDIT, player.ownField),
};

const editsProfile: Action = {
  name: 'edits the profile',
  async run(player) {
    const { page } = player.device;
    await openOwnProfile(player);
    await page.getByRole('button', { name: 'Edit Profile' }).click();
    const form = sheet(page, 'Edit Profile');
    const isCity = player.ownField === 'Role';
    const value = isCity ? player.prng.pick(CITIES) : createName(player, 'Actor');
    await form.getByLabel(isCity ? 'City' : 'Title').fill(value);
    const done = player.ledger.change({ kind: 'profile', name: isCity ? 'city' : 'title' }, value);
    await save(page, 'Edit Profile');
    done();
  },
};

const writesAboutMe: Action = {
  name: 'writes About me',
  async run(player) {
    if (player.ownField !== 'Role') return editsProfile.run(player);
    await openOwnProfile(player);
    const text = createName(player, 'I came up through street theatre,');
    const done = player.ledger.change({ kind: 'profile', name: 'about' }, text);
    await writeAboutMe(player.device.page, text);
    done();
  },
};

const addsPhoto: Action = {
  name: 'adds a photo',
  async run(player) {
    const name = createName(player, 'Photo');
    // At least three quarters of a megabyte: several chunks, each a request.
    const side = 500 + player.prng.int(100);
    const file = await noisePicture('stage.png', side);
    await openOwnProfile(player);
    const done = player.ledger.change({ kind: 'photo', name }, `${side} × ${side}`);
    await addPhotos(player.device.page, [file], name);
    done();
  },
};

/** Scrolls to each photo, since only nearby ones are fetched. */
const looksAtPhotos: Action = {
  name: 'looks at the photos',
  async run(player) {
    const { page } = player.device;
    const [first, ...others] = getOwnRecords(player, 'photo').map(({ name }) => findPhoto(page, name));
    if (first === undefined) return addsPhoto.run(player);
    await openUntil(player, '/media', () => first);
    for (const photo of [first, ...others]) await photo.scrollIntoViewIfNeeded();
  },
};

const writesMessages: Action = {
  name: 'writes messages',
  async run(player) {
    const { page } = player.device;
    const box = () => page.getByRole('textbox', { name: /^Message / });
    await openUntil(player, `/messages/${player.conversation}`, box);
    for (let left = 1 + player.prng.int(3); left > 0; left -= 1) {
      const text = player.prng.pick(player.phrases);
      const before = await countMessage(page, text);
      await box().fill(text);
      const done = player.ledger.addMessage(player.name, text);
      await page.getByRole('button', { name: /^Send to / }).click();
      await expect(page.getByRole('log').getByText(text).last()).toBeVisible();
      await expect.poll(() => countMessage(page, text)).toBe(before + 1);
      done();
    }
  },
};

const savesSomebody: Action = {
  name: 'saves or unsaves somebody',
  async run(player) {
    const { person, address } = player.prng.pick(player.toSave);
    const button = (page: Page) => page.getByRole('button', { name: new RegExp(`^Save ${person.name}`) });
    await openUntil(player, address, button);
    for (let left = 1 + player.prng.int(3); left > 0; left -= 1) {
      const pressed = button(player.device.page);
      const isSaved = (await pressed.getAttribute('aria-pressed')) === 'true';
      const done = player.ledger.change({ kind: 'saved', name: person.name }, isSaved ? null : 'yes');
      await pressed.click();
      await expect(pressed).toHaveAttribute('aria-pressed', String(!isSaved));
      done();
    }
  },
};

const connects: Action = {
  name: 'asks somebody to connect',
  async run(player) {
    const stranger = player.toConnect.pop();
    if (stranger === undefined) return savesSomebody.run(player);
    const { page } = player.device;
    const button = page.getByRole('button', { name: 'Connect', exact: true });
    await openUntil(player, stranger.address, () => button);
    const done = player.ledger.change({ kind: 'connection', name: stranger.person.name }, 'pending');
    await button.click();
    await expect(page.getByRole('button', { name: 'Pending' })).toBeVisible();
    done();
  },
};

const accepts: Action = {
  name: 'accepts a request to connect',
  async run(player) {
    const stranger = player.toAccept.pop();
    if (stranger === undefined) return writesMessages.run(player);
    const button = (page: Page) => page.getByRole('button', { name: `Accept ${stranger.person.name}` });
    await openUntil(player, '/connections', button);
    const done = player.ledger.change({ kind: 'connection', name: stranger.person.name }, 'accepted');
    await button(player.device.page).click();
    await expect(button(player.device.page)).toHaveCount(0);
    done();
  },
};

/** The actions of members. An action listed more often is drawn more often. */
export const ACTIONS: readonly Action[] = [
  addsSkill,
  addsSkill,
  addsSkill,
  editsSkill,
  editsSkill,
  editsSkill,
  deletesSkill,
  undoesDelete,
  addsCredit,
  addsCredit,
  editsCredit,
  editsCredit,
  editsSharedCredit,
  editsSharedCredit,
  editsProfile,
  editsProfile,
  writesAboutMe,
  addsPhoto,
  addsPhoto,
  looksAtPhotos,
  looksAtPhotos,
  writesMessages,
  writesMessages,
  writesMessages,
  writesMessages,
  savesSomebody,
  savesSomebody,
  connects,
  accepts,
];
