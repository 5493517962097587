import { expectAllSaved } from './support/actions.ts';
import { recordFor, waitForPicture } from './support/booth.ts';
import { getProfilePath, makePerson, makeProfile } from './support/people.ts';
import { expect, test } from './support/test.ts';

/** Whatever was done last may have been on its way, answered or still waiting when the process ended. */
const PATIENCE = { timeout: 60_000 };

test(
  'goes from a project to the answer, each step once, although the server is killed after each of them',
  { tag: '@full' },
  async ({ server, person, newDevice }) => {
    test.setTimeout(300_000);
    const performer = await makePerson(server.url);
    await makeProfile(person, { title: 'Casting director' });
    const profile = await makeProfile(performer, { title: 'Actor' });
    const [desk, phone] = [
      await newDevice({ shape: 'desktop' }),
      await newDevice({ ownBrowser: true, hasCamera: true }),
    ];
    const office = desk.page;
    const { page } = phone;
    const crash = async () => {
      await server.kill();
      await server.start();
    };

    await desk.signInForOffline(person);
    await phone.signInForOffline(performer);
    await desk.open(await getProfilePath(performer, profile.id));
    await expect(office.getByRole('heading', { name: performer.name })).toBeVisible();

    await desk.open('/casting');
    await office.getByRole('button', { name: 'Add a project' }).click();
    await office.getByLabel('Title').fill('The Salt Road');
    await office.getByRole('button', { name: 'Save' }).click();
    await expect(office.getByRole('heading', { name: 'The Salt Road' })).toBeVisible();
    await crash();

    await office.getByRole('button', { name: 'Add a role' }).click();
    await office.getByLabel('Name of the role').fill('Naseem');
    for (const notice of ['Nudity', 'Intimacy', 'Stunts']) await office.getByLabel(notice).fill('None');
    await office.getByRole('button', { name: 'Save' }).click();
    await expect(office.getByRole('link', { name: 'Ask performers to tape' })).toBeVisible();
    await crash();

    await office.getByRole('link', { name: 'Ask performers to tape' }).click();
    await office.getByRole('button', { name: 'Choose performers' }).click();
    await office.getByLabel(performer.name).check();
    await office.getByRole('button', { name: 'Done' }).click();
    await office.getByRole('button', { name: 'Send to 1 performer' }).click();
    await expect(office.getByText('1 request on the way')).toBeVisible();
    await crash();

    await phone.open('/auditions');
    await page.getByRole('link', { name: /Naseem/ }).click(PATIENCE);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await crash();
    await expect(office.getByText('Confirmed').first()).toBeVisible(PATIENCE);

    await page.getByRole('link', { name: 'Record in the booth' }).click();
    await waitForPicture(page);
    await recordFor(page, 5);
    await crash();
    await page.getByRole('button', { name: 'Stop recording' }).click();
    await page.getByRole('button', { name: '1 take' }).click();
    await page.getByRole('link', { name: 'Send as a tape' }).click();
    const sheet = page.getByRole('dialog', { name: 'Tape for Naseem' });
    await sheet.getByRole('button', { name: 'Choose from your takes' }).click();
    await sheet.getByRole('checkbox', { name: /Take 1/ }).check();
    await sheet.getByRole('button', { name: /^Send \d/ }).click(PATIENCE);
    await expect(page.getByRole('heading', { name: 'Finished in time' })).toBeVisible();
    await crash();
    await expect(page.getByText(`with ${person.name}`)).toBeVisible(PATIENCE);

    await office.getByRole('button', { name: `Open the tape by ${performer.name}, new` }).click(PATIENCE);
    const player = office.getByRole('dialog');
    await expect(player.locator('video')).toHaveJSProperty('readyState', 4);
    await player.locator('video').evaluate((video: HTMLVideoElement) => {
      video.muted = true;
      video.loop = true;
      return video.play();
    });
    // Three seconds count as watched. The rest of the video may not be there yet when the server is killed.
    const getTime = () => player.locator('video').evaluate((video: HTMLVideoElement) => video.currentTime);
    await expect.poll(getTime, PATIENCE).toBeGreaterThan(3.5);
    await office.keyboard.press('b');
    await player.getByLabel('Note').fill('Bring her back with the brother.');
    await crash();
    await expect(page.getByText(/^Watched Today/)).toBeVisible(PATIENCE);
    await player.getByRole('button', { name: /^Close/ }).click();

    await office.getByRole('button', { name: `More for ${performer.name}` }).click();
    await office.getByRole('menuitem', { name: 'Answer' }).click();
    await office.getByRole('dialog').getByText('Callback').click();
    await office.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
    await crash();
    await expect(page.getByText('We would like to see you again for Naseem').first()).toBeVisible(PATIENCE);

    await office.getByRole('button', { name: 'Role is cast' }).click();
    await office.getByRole('dialog').getByText(performer.name).click();
    await office.getByRole('button', { name: /^(Cast|Answer) / }).click();
    await crash();
    await expect(page.getByText('We would love you to play Naseem').first()).toBeVisible(PATIENCE);
    await expectAllSaved(office);
    await expectAllSaved(page);

    const { body } = await person.call<{ records: { type: string; body: Record<string, unknown> | null }[] }>(
      'GET',
      '/sync',
    );
    const counts = Object.fromEntries(
      ['project', 'role', 'request', 'tape', 'mark'].map((type) => [
        type,
        body.records.filter((record) => record.type === type && record.body !== null).length,
      ]),
    );
    expect(counts).toEqual({ project: 1, role: 1, request: 1, tape: 1, mark: 1 });
    const request = body.records.find(({ type }) => type === 'request')?.body;
    expect(request?.answers).toMatchObject([{ kind: 'callback' }, { kind: 'cast' }]);
  },
);
