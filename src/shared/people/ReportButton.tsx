import { Flag } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from '#ui/Button.tsx';
import { ReportSheet, type Reported } from './ReportSheet.tsx';

interface ReportButtonProps {
  person: { userId: string; name: string };
  about: Reported;
  /** An icon alone, or with its word. */
  look: 'icon' | 'tonal';
  className?: string;
}

/** Reports something of a person: a file, a text or a message. */
export function ReportButton({ person, about, look, className = '' }: ReportButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  const open = () => setIsOpen(true);
  return (
    <>
      {look === 'icon' ? (
        <IconButton label={`Report ${about.name}`} title="Report" icon={Flag} className={className} onClick={open} />
      ) : (
        <Button look="tonal" icon={Flag} className={className} onClick={open}>
          Report
        </Button>
      )}
      {isOpen && <ReportSheet person={person} about={about} onClose={() => setIsOpen(false)} />}
    </>
  );
}
