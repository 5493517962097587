import { expect, test } from 'vitest';
import { Ledger } from '../network/ledger.ts';

const skill = (name: string, value: string) => ({ kind: 'skill', name, value });
const nothing = { facts: [], messages: new Map<string, string[]>() };

function withSkill(): Ledger {
  const ledger = new Ledger();
  ledger.addInitial('skill', 'Kathak', 'Beginner');
  ledger.change({ kind: 'skill', name: 'Kathak' }, 'Expert')();
  return ledger;
}

test('accepts a fact in its last value', () => {
  expect(withSkill().compare({ ...nothing, facts: [skill('Kathak', 'Expert')] })).toEqual([]);
});

test.each([
  ['missing', [], `skill 'Kathak' is nothing, not 'Expert'`],
  ['in an earlier value', [skill('Kathak', 'Beginner')], `skill 'Kathak' is 'Beginner', not 'Expert'`],
  ['doubled', [skill('Kathak', 'Expert'), skill('Kathak', 'Expert')], `skill 'Kathak' is there 2 times`],
])('reports a fact that is %s', (_, facts, sentence) => {
  expect(withSkill().compare({ ...nothing, facts })).toEqual([sentence]);
});

test('reports a fact that nobody wrote', () => {
  const facts = [skill('Kathak', 'Expert'), skill('Mime', 'Expert')];
  expect(withSkill().compare({ ...nothing, facts })).toEqual([`skill 'Mime' is 'Expert'; nobody wrote it`]);
});

test('accepts an interrupted change either way, and nothing else', () => {
  const ledger = withSkill();
  ledger.change({ kind: 'skill', name: 'Kathak' }, null);
  expect(ledger.getConfirmed('skill')).toEqual([]);
  expect(ledger.compare(nothing)).toEqual([]);
  expect(ledger.compare({ ...nothing, facts: [skill('Kathak', 'Expert')] })).toEqual([]);
  expect(ledger.compare({ ...nothing, facts: [skill('Kathak', 'Beginner')] })).toHaveLength(1);
});

test.each([
  ['as it was written', ['Yes', 'On my way', 'Yes'], true],
  ['without the interrupted message', ['Yes', 'Yes'], true],
  ['with a message doubled', ['Yes', 'On my way', 'Yes', 'Yes'], false],
  ['with a message lost', ['Yes', 'On my way'], false],
  ['in another order', ['On my way', 'Yes', 'Yes'], false],
])('reads a line %s', (_, read, isRight) => {
  const ledger = new Ledger();
  ledger.addMessage('phone', 'Yes')();
  ledger.addMessage('phone', 'On my way');
  ledger.addMessage('phone', 'Yes')();
  expect(ledger.compare({ ...nothing, messages: new Map([['phone', read]]) })).toHaveLength(isRight ? 0 : 1);
});

test('reports a line that nobody said', () => {
  expect(new Ledger().compare({ ...nothing, messages: new Map([['nobody', ['Hello']]]) })).toHaveLength(1);
});
