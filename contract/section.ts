/**
 * A section is defined by data: its fields, texts, endpoints and an example. Forms, cards, lists, the outbox, server routes,
 * access rules, demo data and tests iterate over the registry in `sections/index.ts`, so a new section takes one file and one
 * line.
 */

interface FieldBase {
  label: string;
  required: boolean;
  /** Message for an empty required field. It says what to do, in the terms of the trade. */
  missing: string;
  placeholder?: string;
  /** Shown below the field while the user types. */
  hint?: string;
}
export interface TextField extends FieldBase {
  kind: 'text';
  /** In code points. */
  max: number;
  multiline: boolean;
  /** Restricts the text to an e-mail address or a phone number. */
  format?: 'email' | 'phone';
  /** Suggestions shown while typing; any other text is accepted too. */
  suggest?: readonly string[];
}
export interface LinkField extends FieldBase {
  kind: 'link';
  max: number;
  /** `@handle` is completed to placeholder + this sign + handle. When absent, handles are not completed. */
  handleSign?: '' | '@';
}
export interface MonthField extends FieldBase {
  kind: 'month';
}
export interface YearField extends FieldBase {
  kind: 'year';
}
/** A decimal number stored as text: '172.5'. */
export interface NumberField extends FieldBase {
  kind: 'number';
  unit: string;
  /** Inclusive upper bound; the lower bound is an exclusive 0. */
  max: number;
  /** Maximum number of digits after the decimal point. */
  decimals: number;
}
export interface FlagField extends FieldBase {
  kind: 'flag';
}
/** Ids from one of the server's lookup lists, in the order they were picked. */
export interface IdsField extends FieldBase {
  kind: 'ids';
  /** The list to choose from, by its name among the lookups. */
  lookup: 'languages';
  max: number;
}
/** A calendar day as text: '2027-01-31'. */
export interface DateField extends FieldBase {
  kind: 'date';
}
/** One id from one of the server's lookup lists. */
export interface LookupField extends FieldBase {
  kind: 'lookup';
  /** The list to choose from, by its name among the lookups. */
  lookup: LookupName;
}
/** A month and year as one text: '2025-05'. */
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
  | DateField
  | ChoiceField
  | NumberField
  | FlagField
  | IdsField
  | LookupField;
/** The server's lookup lists, by the names the device stores them under. */
export type LookupName =
  'languages' | 'project_types' | 'media_languages' | 'language_accents' | 'voice_genders' | 'voice_types';
export type Fields = Readonly<Record<string, Field>>;

type ValueOf<F> = F extends { kind: 'text' | 'link' | 'number' | 'lookup' | 'yearMonth' | 'date' }
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
  /** Message for an empty required field. */
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
export const date = (label: string, words: FieldTexts) => ({ kind: 'date', label, required: true, ...words }) as const;
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
/** Makes options whose stored value is the label itself. */
export const toOptions = <const V extends string>(values: readonly V[]) =>
  values.map((value) => ({ value, label: value }));
export const optional = <F extends Field>(field: F) =>
  ({ ...field, required: false }) as Omit<F, 'required'> & { required: false };

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** `path` has `:profileId` or `:id` placeholders; see `pathOf`. `isExtension` marks an endpoint that the basic API lacks. */
export interface Endpoint {
  method: Method;
  path: string;
  isExtension?: true;
}

/** A row as text, for cards, Waiting to send and screen readers. It has no markup, so that the server can use it too. */
export interface CardText {
  title: string;
  subtitle?: string;
  /** A year or date, shown in the left column. */
  when?: string;
  href?: string;
}

/** A rule across fields; the message lands on `field`. */
export interface CrossRule<R> {
  field: string;
  /** The fields the rule reads. It runs as soon as these are valid by themselves, even if other fields are not. */
  dependsOn: readonly string[];
  /** Returns the message, or null when the rule holds. */
  check: (row: R) => string | null;
}

export interface SectionInput<K extends string, F extends Fields> {
  key: K;
  title: string;
  /** What performers call one row: 'credit'. */
  noun: string;
  /** Advice shown on an empty card. */
  emptyText: string;
  /**
   * many: a list of rows. one: a single value stored on the profile record, sharing its version. set: rows that are read
   * individually and written together, with one version for all of them.
   */
  cardinality: Cardinality;
  /** Set on lists that hold at most one row. */
  maxItems?: 1;
  set?: SetShape<Row<F>>;
  /** Form titles, where 'Add <noun>' and 'Edit <noun>' do not fit. */
  formTitles?: { add: string; edit: string };
  /** Set when signed-in viewers write the rows and the owner may hide them; by default the owner writes them. */
  writtenBy?: 'viewers';
  /** Slugs of the profile types that have this section; by default all of them. */
  profileTypes?: readonly string[];
  fields: F;
  rules?: readonly CrossRule<Row<F>>[];
  /** Sort key of dated sections, highest first; creation time breaks ties. */
  dateRank?: (row: Row<F>) => number;
  card: (row: Row<F>) => CardText;
  /** Shown for 3 s after the server has acknowledged. */
  savedText: string;
  /** Null where the API has no such operation; its button is then not shown. */
  endpoints: { list: Endpoint; create: Endpoint | null; update: Endpoint | null; remove: Endpoint | null };
  /** The audience of a row, besides the owner, among those who may see the profile. */
  visibleTo?: (row: Row<F>) => 'everyone' | 'connections';
  example: Row<F>;
}

export type Cardinality = 'many' | 'one' | 'set';

/** Converts between the rows of a set and the values of its form. */
export interface SetShape<R> {
  /** Returns the key that identifies a row within its set. */
  keyOf: (row: AnyRow) => string;
  /** A field without a row is null. */
  valuesOf: (rows: readonly AnyRow[]) => R;
  rowsOf: (values: R) => AnyRow[];
}

/** A section without its row type, for loops over the registry. */
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

/** Type-checks a definition (card, rules and example against its fields) and erases the row type. */
export function defineSection<const K extends string, const F extends Fields>(
  input: SectionInput<K, F>,
): Section & { key: K } {
  return { rules: [], visibleTo: () => 'everyone', ...input } as unknown as Section & { key: K };
}

/** The fields of a record that is no section, for its form, its validation on both sides and the tests. */
export interface RecordForm {
  fields: Fields;
  rules: readonly CrossRule<AnyRow>[];
  example: AnyRow;
}

/** Type-checks a form (its rules and example against its fields) and erases the row type. */
export function defineForm<const F extends Fields>(input: {
  fields: F;
  rules: readonly CrossRule<Row<F>>[];
  example: Row<F>;
}): Omit<RecordForm, 'fields'> & { fields: F } {
  return input as unknown as Omit<RecordForm, 'fields'> & { fields: F };
}

/** Returns the titles of the form that adds and the form that edits a row. */
export const getFormTitles = ({
  formTitles,
  noun,
}: Pick<Section, 'formTitles' | 'noun'>): { add: string; edit: string } =>
  formTitles ?? { add: `Add ${noun}`, edit: `Edit ${noun}` };
