import type { ComponentProps, MouseEvent } from 'react';
import { ButtonLink } from '#ui/Button.tsx';
import { confirm } from '#ui/confirm.tsx';
import { isForBrowser, navigate } from '#ui/router.tsx';
import { getDraftId, getKeepText, type PickedFile } from './picked-files.ts';

interface LeaveLinkProps extends Omit<ComponentProps<typeof ButtonLink>, 'onClick'> {
  /** The files of the sheet. */
  files: readonly PickedFile[];
}

/** A link out of a sheet with picked files. Leaving ends their copies, so it asks first while one is not stored, as closing the sheet does. */
export function LeaveLink({ files, ...link }: LeaveLinkProps) {
  const handleClick = async (event: MouseEvent<HTMLAnchorElement>) => {
    if (isForBrowser(event) || files.every((file) => getDraftId(file) !== null)) return;
    event.preventDefault();
    const text = getKeepText(files, '');
    const isSure = await confirm({ title: 'Close without saving?', text, yes: 'Close', no: 'Keep editing' });
    if (isSure) navigate(link.to, { state: link.state });
  };
  return <ButtonLink {...link} onClick={handleClick} />;
}
