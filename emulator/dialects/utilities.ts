import { type Dialect, refusal, variant } from './dialect';
import { isObject } from './json';
import { UTILITIES } from './routes';

const WORDS = 'The source of this data has moved away.';
const json = { 'content-type': 'application/json; charset=utf-8' };

const failed = (code: number, data: unknown) =>
	refusal({
		name: `utility-failed-${code}`,
		description: `A utility fails inside status 200: \`{code: ${code}, message, data: ${JSON.stringify(data)}}\``,
		source: 'Recorded: utilities-errors-observed',
		routes: UTILITIES,
		meaning: { kind: 'failure', words: [WORDS] },
		instead: { status: 200, headers: json, body: JSON.stringify({ code, message: WORDS, data }) },
	});

/** Answers of utility endpoints that can be mistaken: failures for successes, and successes for failures. */
export const utilityShapes: readonly Dialect[] = [
	failed(400, null),
	failed(404, null),
	failed(500, {}),
	variant({
		name: 'utility-image-address',
		description: 'The image of a utility as JSON with its address',
		source: 'Recorded: the JSON of the daily digest has the address of its image',
		routes: UTILITIES,
		file: (file, { publish }) => ({
			json: {
				code: 200,
				message: 'ok',
				data: { cover: 'https://files.example/cover', image: publish(file) },
			},
		}),
	}),
	variant({
		name: 'utility-looks-failed',
		description: 'A utility answers with fields in its data that look like those of a failure',
		source: 'Recorded: pages and health reports with a status and a message of their own',
		routes: UTILITIES,
		meaning: { kind: 'same', variable: { status: /^/, message: /^/ } },
		json: (value) =>
			isObject(value) && isObject(value.data)
				? { ...value, data: { ...value.data, status: 'failed', message: 'Have a nice day' } }
				: value,
	}),
];
