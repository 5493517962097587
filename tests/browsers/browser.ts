import { expect } from '@playwright/test';

/** A function that runs in the page, and what it is given. Both go there as text, so it can name nothing outside itself. */
export type PageFunction<A extends unknown[], T> = (...args: A) => T | Promise<T>;

/** What each engine's driver can do. Elements are found in the page, so that both find them in the same way. */
export interface Engine {
  go(url: string): Promise<void>;
  /** Runs a function in the page. Its arguments and answer are plain data. */
  run<A extends unknown[], T>(inPage: PageFunction<A, T>, ...args: A): Promise<T>;
  /** Clicks what `findElement` finds; false where there is nothing yet, or something covers it. */
  click(target: Target): Promise<boolean>;
  /** Presses keys, one after the other, in what has the focus. */
  type(text: string): Promise<void>;
  /** Puts a file into the first input for files that matches. */
  setFile(selector: string, file: string): Promise<void>;
  /** Ends the browser and opens it again on the same profile. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export interface Target {
  /** The kind of element, as CSS selects it. */
  selector: string;
  /** Source of a regular expression for its name: label, text or placeholder. */
  name: string;
}

/** Finds an element by what it is and what it is called, in the dialog in front if there is one. Runs in the page. */
export function findElement({ selector, name }: Target): Element | null {
  const dialogs = [...document.querySelectorAll('dialog[open], [role=dialog], [role=menu]')];
  const getName = (element: Element) => {
    const labels = [...((element as Partial<HTMLInputElement>).labels ?? [])].map((label) => label.textContent);
    const own = element.getAttribute('aria-label') ?? (labels.join(' ') || element.textContent);
    return (own || element.getAttribute('placeholder') || '').trim();
  };
  const wanted = new RegExp(name);
  const found = [...(dialogs.at(-1) ?? document).querySelectorAll(selector)].filter(
    (element) => element.checkVisibility() && !element.matches(':disabled') && wanted.test(getName(element)),
  );
  // The header links to the page whose form has a button of the same name.
  const best = found.find((element) => element.matches('button')) ?? found[0] ?? null;
  best?.scrollIntoView({ block: 'center' });
  return best;
}

const BUTTON = 'button, [role=button], [role=menuitem], [role=tab], a[href]';
const FIELD = 'input:not([type=file]), textarea';
const CHOICE = 'label, [role=radio]';
/** A slow machine starts a browser of its own beside all the rest. */
const WAIT_OPTIONS = { timeout: 60_000 };

/**
 * The words a person could scroll to. `innerText` leaves out what lies too far off to be laid out. Runs in the page, which has
 * no body when it has only begun to load.
 */
function getPageText(): string {
  const words: string[] = [];
  const texts = document.createTreeWalker((document.body as HTMLElement | null) ?? document, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    if (texts.currentNode.parentElement?.checkVisibility({ visibilityProperty: true })) {
      words.push(texts.currentNode.textContent ?? '');
    }
  }
  return words.join('\n');
}

/** A person at a browser: what is not there yet is waited for. */
export function openUser(engine: Engine, url: string) {
  const click = (target: Target) =>
    expect.poll(() => engine.click(target), { ...WAIT_OPTIONS, message: target.name }).toBe(true);
  const expectText = (words: string) =>
    expect.poll(() => engine.run(getPageText), { ...WAIT_OPTIONS, message: words }).toContain(words);
  return {
    engine,
    sees: expectText,
    open: (address: string) => engine.go(url + address),
    press: (name: string) => click({ selector: BUTTON, name }),
    /** Saves the sheet in front. The first press may only close a list of suggestions that lies over the button. */
    async saveSheet() {
      const sheet = () =>
        engine.run(() => {
          const open = [...document.querySelectorAll<HTMLElement>('dialog[open]')];
          const withSave = open.filter((each) =>
            [...each.querySelectorAll('button')].some((button) => button.textContent.trim() === 'Save'),
          );
          return withSave.map((each) => each.innerText).join('\n');
        });
      // Never pressed while it closes: the press would land on what comes to light below.
      await expect(async () => {
        await engine.click({ selector: 'button', name: '^Save$' });
        await expect.poll(sheet, { timeout: 5_000, message: 'the sheet closes' }).toBe('');
      }).toPass(WAIT_OPTIONS);
    },
    /** Chooses one of several. A press that lands beside it, while the sheet still moves, is repeated. */
    async choose(name: string) {
      const isChosen = () =>
        engine.run((wanted) => {
          const labels = [...document.querySelectorAll<HTMLLabelElement>('dialog[open] label')];
          const control = labels.find((each) => new RegExp(wanted).test(each.textContent.trim()))?.control;
          return control instanceof HTMLInputElement && control.checked;
        }, name);
      await expect(async () => {
        await engine.click({ selector: CHOICE, name });
        await expect.poll(isChosen, { timeout: 2_000, message: `${name} is chosen` }).toBe(true);
      }).toPass(WAIT_OPTIONS);
    },
    async fill(name: string, text: string) {
      await click({ selector: FIELD, name });
      await engine.type(text);
    },
    waitFor: <A extends unknown[]>(message: string, inPage: PageFunction<A, boolean>, ...args: A) =>
      expect.poll(() => engine.run(inPage, ...args), { ...WAIT_OPTIONS, message }).toBe(true),
  };
}

export type BrowserUser = ReturnType<typeof openUser>;
