/**
 * A section is data: its fields, words, endpoints and an example. Form, card, list, outbox, server routes, access
 * rules, demo data and tests loop over the registry in `sections/index.ts`, so a new section is one file and one line.
 */

interface FieldBase {
  label: string;
  required: boolean;
  /** What the form says when a required field is empty: tells what to do, in the trade's words. */
  missing: string;
  placeholder?: string;
  /** Stands below the field for as long as one types. */
  hint?: string;
}
export interface TextField extends FieldBase {
  kind: 'text';
  /** Code points. */
  max: number;
  multiline: boolean;
  /** What the text has to be: an e-mail address or a phone number. */
  format?: 'email' | 'phone';
  /** Offered while typing; anything else may be written. */
  suggest?: readonly string[];
}
export interface LinkField extends FieldBase {
  kind: 'link';
  max: number;
  /** `@handle` is completed to the placeholder, this sign and the handle; absent: handles mean nothing here. */
  handleSign?: '' | '@';
}
export interface MonthField extends FieldBase {
  kind: 'month';
}
export interface YearField extends FieldBase {
  kind: 'year';
}
/** A decimal kept as text, as the person wrote it: '172.5'. */
export interface NumberField extends FieldBase {
  kind: 'number';
  unit: string;
  /** More than 0 and at most this. */
  max: number;
  /** Digits after the point. */
  decimals: number;
}
/** Yes or no. */
export interface FlagField extends FieldBase {
  kind: 'flag';
}
/** Ids of a list the server keeps, in the order they were picked. */
export interface IdsField extends FieldBase {
  kind: 'ids';
  /** The list to choose from, by its name among the lookups. */
  lookup: 'languages';
  max: number;
}
/** One id of a list the server keeps. */
export interface LookupField extends FieldBase {
  kind: 'lookup';
  /** The list to choose from, by its name among the lookups. */
  lookup: LookupName;
}
/** A month of a year as one text: '2025-05'. */
export interface YearMonthField extends FieldBase {
  kind: 'yearMonth';
}
export interface ChoiceField<V extends string | number = string | number> extends FieldBase {
  kind: 'choice';
  options: readonly { value: V; label: string }[];
}
export type Field =
  | TextField
  | LinkField
  | MonthField
  | YearField
  | YearMonthField
  | ChoiceField
  | NumberField
  | FlagField
  | IdsField
  | LookupField;
/** Lists the server keeps, by the names this device keeps them under. */
export type LookupName =
  'languages' | 'project_types' | 'media_languages' | 'language_accents' | 'voice_genders' | 'voice_types';
export type Fields = Readonly<Record<string, Field>>;

type ValueOf<F> = F extends { kind: 'text' | 'link' | 'number' | 'lookup' | 'yearMonth' }
  ? string
  : F extends { kind: 'month' | 'year' }
    ? number
    : F extends { kind: 'flag' }
      ? boolean
      : F extends { kind: 'ids' }
        ? readonly string[]
        : F extends ChoiceField<infer V>
          ? V
          : never;
type OrNull<F> = F extends { required: false } ? null : never;
/** The values of a row by field key; an optional field may be null. */
export type Row<F extends Fields> = { [K in keyof F]: ValueOf<F[K]> | OrNull<F[K]> };
export type AnyRow = Record<string, unknown>;

interface FieldTexts {
  /** Said when the field is empty. */
  missing: string;
  placeholder?: string;
  hint?: string;
}

export const text = (label: string, max: number, words: FieldTexts) =>
  ({ kind: 'text', label, max, multiline: false, required: true, ...words }) as const;
export const longText = (label: string, max: number, words: FieldTexts) =>
  ({ kind: 'text', label, max, multiline: true, required: true, ...words }) as const;
export const suggestedText = (label: string, suggest: readonly string[], words: FieldTexts) =>
  ({ kind: 'text', label, max: 50, multiline: false, required: true, suggest, ...words }) as const;
export const email = (label: string, words: FieldTexts) =>
  ({ kind: 'text', label, max: 254, multiline: false, required: true, format: 'email', ...words }) as const;
export const phone = (label: string, words: FieldTexts) =>
  ({ kind: 'text', label, max: 30, multiline: false, required: true, format: 'phone', ...words }) as const;
export const number = (label: string, bounds: Pick<NumberField, 'unit' | 'max' | 'decimals'>, words: FieldTexts) =>
  ({ kind: 'number', label, required: true, ...bounds, ...words }) as const;
export const flag = (label: string, words: FieldTexts) => ({ kind: 'flag', label, required: true, ...words }) as const;
export const ids = (label: string, lookup: IdsField['lookup'], max: number, words: FieldTexts) =>
  ({ kind: 'ids', label, lookup, max, required: true, ...words }) as const;
export const lookup = (label: string, list: LookupName, words: FieldTexts) =>
  ({ kind: 'lookup', label, lookup: list, required: true, ...words }) as const;
export const yearMonth = (label: string, words: FieldTexts) =>
  ({ kind: 'yearMonth', label, required: true, ...words }) as const;
export const link = (label: string, words: FieldTexts & Pick<LinkField, 'handleSign'>) =>
  ({ kind: 'link', label, max: 2000, required: true, ...words }) as const;
export const month = (label: string, words: FieldTexts) =>
  ({ kind: 'month', label, required: true, ...words }) as const;
export const year = (label: string, words: FieldTexts) => ({ kind: 'year', label, required: true, ...words }) as const;
export const choice = <const V extends string | number>(
  label: string,
  options: readonly { value: V; label: string }[],
  words: FieldTexts,
) => ({ kind: 'choice', label, options, required: true, ...words }) as const;
/** Options whose stored value is the label itself. */
export const toOptions = <const V extends string>(values: readonly V[]) =>
  values.map((value) => ({ value, label: value }));
export const optional = <F extends Field>(field: F) =>
  ({ ...field, required: false }) as Omit<F, 'required'> & { required: false };

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** A path has `:profileId` or `:id` where the row's go. `plus` marks a call a server of the bare specification lacks. */
export interface Endpoint {
  method: Method;
  path: string;
  isExtension?: true;
}

/** How a row reads anywhere: on a card, in Waiting to send, to a screen reader. Text only, so the server can read it too. */
export interface CardText {
  title: string;
  subtitle?: string;
  /** The programme's left column. */
  when?: string;
  href?: string;
}

/** A rule across fields; the message lands on `field`. */
export interface CrossRule<R> {
  field: string;
  /** The fields the rule looks at: it is asked as soon as these are right by themselves, whatever is wrong elsewhere. */
  dependsOn: readonly string[];
  /** The message, or null when the row is fine. */
  check: (row: R) => string | null;
}

export interface SectionInput<K extends string, F extends Fields> {
  key: K;
  title: string;
  /** One row of it, as a performer says it: 'credit'. */
  noun: string;
  /** Under the Add link of an empty card: what helps. */
  emptyText: string;
  /**
   * many: a list of rows. one: a single value kept on the profile record, sharing its version. set: rows that are read
   * one by one and written as one, with one version for them all.
   */
  cardinality: Cardinality;
  /** Of a list that holds no more than one row. */
  maxItems?: 1;
  set?: SetShape<Row<F>>;
  /** Instead of 'Add credit' and 'Edit credit' over the form. */
  formTitles?: { add: string; edit: string };
  /** Whose words the rows are; the profile's owner's when absent. Viewers write once signed in; the owner may hide. */
  writtenBy?: 'viewers';
  /** Profile type slugs that have it; every type when absent. */
  profileTypes?: readonly string[];
  fields: F;
  rules?: readonly CrossRule<Row<F>>[];
  /** Dated sections sort by this, newest first, before creation time. */
  dateRank?: (row: Row<F>) => number;
  card: (row: Row<F>) => CardText;
  /** Shown for 3 s when the server has acknowledged. */
  savedText: string;
  /** A verb that does not exist is null, and its button does not appear. */
  endpoints: { list: Endpoint; create: Endpoint | null; update: Endpoint | null; remove: Endpoint | null };
  /** Who, besides the owner, may see a row of a profile they may see. */
  visibleTo?: (row: Row<F>) => 'everyone' | 'connections';
  example: Row<F>;
}

export type Cardinality = 'many' | 'one' | 'set';

/** How the rows of a set and the values of its form make each other. */
export interface SetShape<R> {
  /** What tells rows of one set apart. */
  keyOf: (row: AnyRow) => string;
  /** Null values are fields that no row holds. */
  valuesOf: (rows: readonly AnyRow[]) => R;
  rowsOf: (values: R) => AnyRow[];
}

/** A section with its row type forgotten, as loops over the registry see it. */
export interface Section {
  key: string;
  title: string;
  noun: string;
  emptyText: string;
  cardinality: Cardinality;
  maxItems?: 1;
  set?: SetShape<AnyRow>;
  formTitles?: { add: string; edit: string };
  writtenBy?: 'viewers';
  profileTypes?: readonly string[];
  fields: Fields;
  rules: readonly CrossRule<AnyRow>[];
  dateRank?: (row: AnyRow) => number;
  card: (row: AnyRow) => CardText;
  savedText: string;
  endpoints: { list: Endpoint; create: Endpoint | null; update: Endpoint | null; remove: Endpoint | null };
  visibleTo: (row: AnyRow) => 'everyone' | 'connections';
  example: AnyRow;
}

/** Checks a definition at compile time (fields against card, rules and example) and forgets the row type. */
export function defineSection<const K extends string, const F extends Fields>(
  input: SectionInput<K, F>,
): Section & { key: K } {
  return { rules: [], visibleTo: () => 'everyone', ...input } as unknown as Section & { key: K };
}

/** What the form of a row is called while it adds one, and while it changes one. */
export const getFormTitles = ({
  formTitles,
  noun,
}: Pick<Section, 'formTitles' | 'noun'>): { add: string; edit: string } =>
  formTitles ?? { add: `Add ${noun}`, edit: `Edit ${noun}` };
