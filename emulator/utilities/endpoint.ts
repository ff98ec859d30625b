import type { ParameterReader } from './parameterReader';
import type { Answer } from './reply';

/** One request as an endpoint sees it. */
export interface Call {
	parameters: ParameterReader;
	/** Variable parts of the path, for example `type` of `/v2/apis/tech-news/:type`. */
	path: Record<string, string>;
	/** Time of the request in ms. */
	now: number;
	/** Day of the request in China, `YYYY-MM-DD`. */
	today: string;
	/** Address of the caller, as a proxy or the socket reports it. */
	callerAddress: string;
	/** Absolute address of a picture that the emulator draws: see `pictures.ts` for what the name says. */
	fileUrl: (name: string) => string;
}

/** One path of section 4.13 and what it answers. */
export interface Endpoint {
	/** Below `/v2/apis`, in Fastify's notation. */
	path: string;
	/** The path with the values and the query of a request that succeeds; may be omitted if `path` alone succeeds. */
	example?: string;
	/** @throws Refusal for an invalid request, Crash where the real service fails */
	answer: (call: Call) => Answer;
}
