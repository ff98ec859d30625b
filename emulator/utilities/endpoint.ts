import type { ParameterReader } from './parameterReader';
import type { Answer } from './reply';

/** One request to an endpoint. */
export interface Call {
	parameters: ParameterReader;
	/** Variable parts of the path, for example `type` of `/v2/apis/tech-news/:type`. */
	path: Record<string, string>;
	/** Time of the request, in ms. */
	now: number;
	/** Day of the request in China, `YYYY-MM-DD`. */
	today: string;
	/** Address of the caller, as reported by a proxy or the socket. */
	callerAddress: string;
	/** Absolute address of a picture that the emulator draws; see `pictures.ts` for the meaning of the name. */
	fileUrl: (name: string) => string;
}

/** One path of section 4.13 and its response. */
export interface Endpoint {
	/** Below `/v2/apis`, in Fastify's notation. */
	path: string;
	/** The path with the values and the query of a request that succeeds; may be omitted if `path` alone succeeds. */
	example?: string;
	/** @throws Refusal for an invalid request, Crash where the real service fails */
	answer: (call: Call) => Answer;
}
