import { writeFileSync } from 'node:fs';
import { audioProperties } from './audio';
import { errorProperties } from './errors';
import { headerProperties } from './headers';
import { jsonProperties } from './json';
import { operationProperties, useOperations } from './operations';
import { type Outcome, type Property, tryProperty } from './property';
import { readerProperties } from './readers';
import { secretProperties } from './secrets';
import { streamProperties } from './streams';
import { textProperties } from './texts';

/** Set by cli.ts. */
const { FUZZ_SEED = '1', FUZZ_MINUTES = '0.5', FUZZ_ONLY = '', FUZZ_OUTCOMES } = process.env;

const GROUPS: Record<string, Property[]> = {
	'JSON of an answer': jsonProperties,
	'The readers of the nodes': readerProperties,
	'An operation': operationProperties,
	'An event stream': streamProperties,
	'The headers of an answer': headerProperties,
	'The body of an error': errorProperties,
	'A text or a file name': textProperties,
	'An audio file': audioProperties,
	'The key': secretProperties,
};

const chosen = Object.entries(GROUPS).flatMap(([group, properties]) =>
	properties.filter(({ name }) => `${group} ${name}`.includes(FUZZ_ONLY)).map((one) => [group, one] as const),
);
const shares = chosen.reduce((sum, [, { share }]) => sum + share, 0);
const outcomes: Outcome[] = [];

if (chosen.some(([, one]) => operationProperties.includes(one))) useOperations();
afterAll(() => {
	if (FUZZ_OUTCOMES) writeFileSync(FUZZ_OUTCOMES, JSON.stringify(outcomes));
});

describe.each(Object.keys(GROUPS))('%s', (group) => {
	const ofGroup = chosen.filter(([name]) => name === group).map(([, one]) => one);
	// Jest does not accept an empty group.
	if (ofGroup.length === 0) it.skip('is not chosen', () => undefined);

	for (const one of ofGroup) {
		it(one.name, async () => {
			const milliseconds = (Number(FUZZ_MINUTES) * 60_000 * one.share) / shares;
			const outcome = await tryProperty(one, Number(FUZZ_SEED), milliseconds, () => performance.now());
			outcomes.push({ ...outcome, name: `${group} ${one.name}` });
			if (outcome.finding) throw new Error(outcome.finding);
		});
	}
});
