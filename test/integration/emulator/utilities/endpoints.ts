import { utilityEndpoints } from '../../../../emulator/utilities';
import type { Call, Endpoint } from '../../../../emulator/utilities/endpoint';
import { ParameterReader } from '../../../../emulator/utilities/parameterReader';
import type { Answer, Encoding } from '../../../../emulator/utilities/reply';
import { dateOf } from '../../../../emulator/utilities/time';
import { noon } from './gateway';
import observed from './observations.json';

/** A type of a value, an object of shapes, or a list whose elements all have one shape; `[]` is any list. */
export type Shape = 'string' | 'number' | 'boolean' | 'nullable' | { [field: string]: Shape } | Shape[];

/** The responses that an endpoint offers. */
interface Offer {
	/** The encoding of the response without `encoding`, or the content type of a file in no encoding. */
	fallback: string;
	encodings: Encoding[];
}

/** An endpoint of the emulator's own table. */
interface OfferedEndpoint extends Offer {
	/** Below `/v2/apis`, in Fastify's notation. */
	path: string;
	/** Below `/v2/apis`: a request that succeeds, always with a query. */
	example: string;
}

/** An endpoint as a comparable service was observed to answer it. */
interface ObservedEndpoint extends Offer {
	/** Below `/v2/apis`, in Fastify's notation. */
	path: string;
	/** Shape of `data` in the JSON response; `nullable` is a string or number that was null in an observed response. */
	shape?: Shape;
}

function pathValues(path: string, address: string): Record<string, string> {
	const values = address.split('/');
	const entries = path.split('/').map((part, index) => [part, values[index]]);
	return Object.fromEntries(
		entries.filter(([part]) => part.startsWith(':')).map(([part, value]) => [part.slice(1), value]),
	);
}

function exampleAnswer({ path, example = path, answer }: Endpoint): Answer {
	const { pathname, searchParams } = new URL(example, 'http://gateway.example');
	const call: Call = {
		parameters: new ParameterReader(Object.fromEntries(searchParams)),
		path: pathValues(path, pathname),
		now: noon,
		today: dateOf(noon),
		callerAddress: '127.0.0.1',
		fileUrl: (name) => `http://files.example/${name}`,
	};
	try {
		return answer(call);
	} catch (cause) {
		throw new Error(`The endpoint ${path} needs an "example" that succeeds.`, { cause });
	}
}

function offerOf({ fallback, bodies }: Answer): Offer {
	const encodings = Object.keys(bodies) as Encoding[];
	const usual = encodings.find((encoding) => bodies[encoding] === fallback);
	const body = fallback();
	return { fallback: usual ?? (body.kind === 'file' ? body.contentType : body.kind), encodings };
}

/** Every endpoint that the emulator serves. */
export const endpoints: readonly OfferedEndpoint[] = utilityEndpoints.map((endpoint) => {
	const { path, example = path } = endpoint;
	return {
		path,
		example: example.includes('?') ? example : `${example}?`,
		...offerOf(exampleAnswer(endpoint)),
	};
});

/** The endpoints of the comparable service. */
export const observations = observed as readonly ObservedEndpoint[];
