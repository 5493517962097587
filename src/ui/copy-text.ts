import { Copy } from 'lucide-react';
import { toast } from './Toast.tsx';

/** Of a page's address. */
export const LINK_COPIED = 'Link Copied To Clipboard!';

/** Puts a text where it can be pasted from, and says whether that went well. @param said what is said then */
export async function copyText(text: string, said: string): Promise<void> {
  try {
    // Absent where the page came over a plain connection.
    const clipboard = navigator.clipboard as Clipboard | undefined;
    if (!clipboard) throw new Error('No clipboard');
    await clipboard.writeText(text);
    toast({ text: said, icon: Copy });
  } catch {
    toast({ text: 'Failed to copy!', icon: Copy });
  }
}
