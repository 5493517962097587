import { DAY_STATES, type DayState, type OtherVersion } from '#contract/casting/availability.ts';
import { lowerFirst, momentText } from '#lib/deadline.ts';

/** How each state looks. Border and word tell them apart too, not the color alone. */
export const LOOKS: Record<DayState, { className: string; word: string }> = {
  free: { className: 'border border-base-300 bg-saved-tint text-saved', word: 'free' },
  pencilled: { className: 'border-2 border-dashed border-phone bg-phone-tint text-phone', word: 'pencil' },
  held: { className: 'border-2 border-send bg-send-tint text-send', word: 'held' },
  booked: { className: 'border border-primary bg-primary text-primary-content', word: 'booked' },
};

/** 'Booked', 'Not stated' */
export const stateText = (state: DayState | null): string => (state === null ? 'Not stated' : DAY_STATES[state]);

const endText = (end: string) => lowerFirst(momentText(Date.parse(end), Date.now()));

/** 'Pencilled until Tue 12 Jan, 18:00, “Film”' */
export const versionText = ({ state, note, expires_at: end }: OtherVersion): string =>
  `${stateText(state)}${end == null ? '' : ` until ${endText(end)}`}${note === null ? '' : `, “${note}”`}`;

/** What the choice between two versions of a day offers. The state names them, unless it is the same in both. */
export const getChoiceTexts = (kept: OtherVersion, other: OtherVersion): { keep: string; use: string } =>
  kept.state === other.state
    ? { keep: 'Keep this', use: 'Use the other' }
    : { keep: `Keep ${stateText(kept.state).toLowerCase()}`, use: `Use ${stateText(other.state).toLowerCase()}` };
