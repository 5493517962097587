import type { RefObject } from 'react';

interface FilePickerProps {
  ref: RefObject<HTMLInputElement | null>;
  /** Types and endings, as the attribute of that name has them. */
  accept: string;
  multiple?: boolean;
  /** Leads to the device's camera at once. */
  camera?: boolean;
  testId?: string;
  /** At least one file. */
  onPick: (files: File[]) => void;
}

/** The device's own way to choose files. It shows nothing by itself: a click on the ref opens it. */
export function FilePicker({ ref, accept, multiple, camera = false, testId, onPick }: FilePickerProps) {
  return (
    <input
      ref={ref}
      type="file"
      hidden
      accept={accept}
      multiple={multiple}
      capture={camera ? 'environment' : undefined}
      data-testid={testId}
      onChange={(event) => {
        const files = [...(event.target.files ?? [])];
        // The same file may be chosen again.
        event.target.value = '';
        if (files.length > 0) onPick(files);
      }}
    />
  );
}
