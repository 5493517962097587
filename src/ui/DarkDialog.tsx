import { X } from 'lucide-react';
import { useRef, type KeyboardEvent, type ReactNode } from 'react';
import { IconButton } from './Button.tsx';
import { useModal } from './use-modal.ts';

interface DarkDialogProps {
  /** The dialog's name for screen readers. */
  label: string;
  /** Content of the top bar before the close button: a name, buttons. */
  head: ReactNode;
  /** 'Close photo'. */
  closeLabel: string;
  foot?: ReactNode;
  /** The area between top bar and foot; children may position themselves in it. */
  children: ReactNode;
  onKeyDown?: (event: KeyboardEvent) => void;
  onClose: () => void;
  /** CSS selector of the element to focus after closing, if the browser does not restore the focus. */
  backTo?: string;
}

/**
 * A full-screen black dialog for pictures and players. Esc closes it; the focus returns to the element that opened it.
 */
export function DarkDialog({ label, head, closeLabel, foot, children, onKeyDown, onClose, backTo }: DarkDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const modal = useModal(dialog, onClose, backTo);
  return (
    <dialog
      ref={dialog}
      className="m-0 size-full max-h-none max-w-none bg-black p-0 text-white"
      aria-label={label}
      {...modal}
      onKeyDown={onKeyDown}
    >
      <div className="flex size-full flex-col [--color-primary:#fff]">
        <div className="flex items-center gap-1 p-1.5 pt-[max(0.375rem,env(safe-area-inset-top))]">
          {head}
          <IconButton label={closeLabel} icon={X} onClick={onClose} />
        </div>
        <div className="relative grid min-h-0 grow grid-rows-[minmax(0,1fr)] place-items-center select-none">
          {children}
        </div>
        {foot}
      </div>
    </dialog>
  );
}
