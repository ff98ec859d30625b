import Fastify, { type FastifyInstance, type LightMyRequestResponse } from 'fastify';
import { utilitiesRoutes } from '../../../emulator/utilities';

/** Half past eleven in China on the first day of the National Day holiday. */
export const noon = Date.parse('2026-10-01T11:30:00+08:00');

/** The plugin alone on a bare server, at a time that a test can move. */
export async function startUtilities(clock: { now: number } = { now: noon }): Promise<FastifyInstance> {
	const app = Fastify();
	await app.register(utilitiesRoutes, { now: () => clock.now });
	return app;
}

/** What a JSON answer holds. */
export interface Envelope {
	code: number;
	message: string;
	data: unknown;
}

/** Calls an endpoint; `address` is below `/v2/apis`, for example `/weather?query=上海`. */
export async function call(app: FastifyInstance, address: string): Promise<LightMyRequestResponse> {
	return await app.inject(encodeURI(`/v2/apis${address}`));
}

/** The `data` of a JSON answer, which must be a success. */
export async function dataOf<Data>(app: FastifyInstance, address: string): Promise<Data> {
	const response = await call(app, address);
	const { code, data } = response.json<Envelope>();
	if (response.statusCode !== 200 || code !== 200) throw new Error(`${address} answered ${response.body}`);
	return data as Data;
}
