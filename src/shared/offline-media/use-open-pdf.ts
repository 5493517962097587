import { useState } from 'react';
import { toastOnError } from '#shared/error-text.ts';
import { openPdfTab } from './pdf-tab.ts';

interface OpenedPdf {
  /** Its path on the server. */
  path: string;
  /** File name for saving, without extension. */
  name: string;
}

/** Opens a PDF of the server. Call `open` during the tap. `isUnavailable`: the last time, it could not be loaded. */
export function useOpenPdf({ path, name }: OpenedPdf): { isUnavailable: boolean; open: () => void } {
  const [isUnavailable, setIsUnavailable] = useState(false);
  const open = () => {
    const tab = openPdfTab();
    const opening = async () => {
      const { openDocument } = await import('./open-document.ts');
      setIsUnavailable(!(await openDocument({ path, name, format: 'pdf' }, tab)));
    };
    void toastOnError(opening());
  };
  return { isUnavailable, open };
}
