import { runCommand } from '../server/support/command.ts';
import { openSignedIn } from './support/actions.ts';
import { expectAccessibleInBothSchemes } from './support/axe.ts';
import { getProfilePath, makePerson, makeProfile } from './support/people.ts';
import { expect, test } from './support/test.ts';

test(
  'a verified office has its badge on its page, in a request and in search',
  { tag: '@full' },
  async ({ person, server, phone }) => {
    const { page } = phone;
    await makeProfile(person);
    const office = await makePerson(server.url, { name: 'Farah Irani' });
    const profile = await makeProfile(office, { title: 'Casting director' });
    const verify = ['--verify', office.email, '--name', 'Farah Irani Casting'];
    expect(await runCommand('offices.ts', server.dataDir, ...verify)).toContain('Verified #');
    await office.call('POST', `/connections/request/${person.id}`);
    await openSignedIn(page, person);
    await phone.open(await getProfilePath(office, profile.id));
    await expect(page.getByText(/^Farah Irani Casting, verified office since \d{4}$/)).toBeVisible();
    await expectAccessibleInBothSchemes(page);
    const mark = page.getByRole('img', { name: 'Verified office: Farah Irani Casting' });
    await phone.open('/connections');
    await expect(mark.first()).toBeVisible();
    await expectAccessibleInBothSchemes(page);
    await phone.open('/search?q=Farah%20Irani');
    await expect(mark.first()).toBeVisible();
    await expectAccessibleInBothSchemes(page);
  },
);
