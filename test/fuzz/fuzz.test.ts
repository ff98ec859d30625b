import { audioProperties } from './audio';
import { errorProperties } from './errors';
import { headerProperties } from './headers';
import { type Property, tryProperty } from './property';
import { readerProperties } from './readers';
import { secretProperties } from './secrets';
import { streamProperties } from './streams';
import { textProperties } from './texts';

/** Set by cli.ts. */
const { FUZZ_SEED = '1', FUZZ_MINUTES = '0.5', FUZZ_ONLY = '' } = process.env;

const GROUPS: Record<string, Property[]> = {
	'The readers of the nodes': readerProperties,
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

describe.each(Object.keys(GROUPS))('%s', (group) => {
	const ofGroup = chosen.filter(([name]) => name === group).map(([, one]) => one);
	// Jest does not accept an empty group.
	if (ofGroup.length === 0) it.skip('is not chosen', () => undefined);

	for (const one of ofGroup) {
		it(one.name, async () => {
			const milliseconds = (Number(FUZZ_MINUTES) * 60_000 * one.share) / shares;
			const { finding } = await tryProperty(one, Number(FUZZ_SEED), milliseconds, () => performance.now());
			if (finding) throw new Error(finding);
		});
	}
});
