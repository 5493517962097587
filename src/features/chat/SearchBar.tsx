import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { searchMessages } from '#db/conversations.ts';
import { count } from '#lib/text.ts';
import { useAccount } from '#session/session.tsx';
import { announce } from '#ui/announce.tsx';
import { IconButton } from '#ui/Button.tsx';

interface SearchBarProps {
  conversationId: string;
  /** Receives the `seq` of the message to show, or null if there is no match. */
  onFound: (seq: number | null) => void;
  onClose: () => void;
}

interface Results {
  words: string;
  seqs: readonly number[];
  at: number;
}

const DEBOUNCE_MS = 200;

/** Searches the messages of a conversation that are on this device, the newest match first. */
export function SearchBar({ conversationId, onFound, onClose }: SearchBarProps) {
  const { db } = useAccount();
  const [words, setWords] = useState('');
  const [results, setResults] = useState<Results | null>(null);
  const show = useEffectEvent(onFound);

  useEffect(() => {
    const query = words.trim();
    if (query === '') {
      show(null);
      return;
    }
    const control = new AbortController();
    const timer = setTimeout(() => {
      searchMessages(db, conversationId, query, control.signal)
        .then((seqs) => {
          if (control.signal.aborted) return;
          setResults({ words: query, seqs, at: 0 });
          show(seqs[0] ?? null);
          announce(seqs.length === 0 ? 'Nothing found' : count(seqs.length, 'message'));
        })
        .catch(reportError);
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [db, conversationId, words]);

  const shown = results?.words === words.trim() ? results : null;
  const go = (by: number) => {
    if (!shown || shown.seqs.length === 0) return;
    const at = (shown.at + by + shown.seqs.length) % shown.seqs.length;
    setResults({ ...shown, at });
    onFound(shown.seqs[at]!);
  };
  const position = !shown ? '' : shown.seqs.length === 0 ? 'None' : `${shown.at + 1} of ${shown.seqs.length}`;
  return (
    <search className="flex items-center gap-1 border-b border-base-300 bg-base-100 px-3 py-1.5">
      <input
        autoFocus
        type="search"
        className="input min-w-0 grow"
        aria-label="Search in this conversation"
        placeholder="Search in this conversation"
        value={words}
        onChange={(event) => setWords(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') go(event.shiftKey ? -1 : 1);
          if (event.key === 'Escape') onClose();
        }}
      />
      <span className="num min-w-14 text-center text-xs text-muted">{position}</span>
      <IconButton label="Older match" icon={ChevronUp} onClick={() => go(1)} />
      <IconButton label="Newer match" icon={ChevronDown} onClick={() => go(-1)} />
      <IconButton label="Close the search" icon={X} onClick={onClose} />
    </search>
  );
}
