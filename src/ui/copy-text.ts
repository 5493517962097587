import { Copy } from 'lucide-react';
import { toast } from './Toast.tsx';

/** Toast after copying a page's URL. */
export const LINK_COPIED = 'Link Copied To Clipboard!';

/**
 * Copies a text to the clipboard and shows a toast about the result.
 * @param successText text of the toast after success
 * @returns whether it was copied
 */
export async function copyText(text: string, successText: string): Promise<boolean> {
  try {
    // Undefined on a page that was not loaded over HTTPS.
    const clipboard = navigator.clipboard as Clipboard | undefined;
    if (!clipboard) throw new Error('No clipboard');
    await clipboard.writeText(text);
    toast({ text: successText, icon: Copy });
    return true;
  } catch {
    toast({ text: 'Failed to copy!', icon: Copy });
    return false;
  }
}
