import { setTimeout as sleep } from 'node:timers/promises';

import type { Owner } from './n8nTypes';
import { Problem } from './problem';

/** The number of times that n8n is asked while its database does not answer, and the pause after each. */
const BUSY = { tries: 120, pauseMs: 1000 };

/** A signed-in session with the internal REST API that n8n's editor uses. */
export class RestSession {
	private cookie = '';

	constructor(readonly url: string) {}

	/**
	 * Signs in; on a new n8n, creates the owner's account first.
	 *
	 * @throws Problem when the account has a different password
	 */
	async signIn(owner: Owner): Promise<void> {
		const settings = await this.request<{ userManagement: { showSetupOnFirstLoad: boolean } }>(
			'GET',
			'/rest/settings',
		);
		const response = settings.userManagement.showSetupOnFirstLoad
			? await this.send('POST', '/rest/owner/setup', { ...owner, firstName: 'Demo', lastName: 'Owner' })
			: await this.send('POST', '/rest/login', {
					emailOrLdapLoginId: owner.email,
					password: owner.password,
				});
		if (!response.ok) {
			throw new Problem(
				`n8n rejected the sign-in of ${owner.email} (HTTP ${response.status}).`,
				'If you changed the account in the editor, delete the folder demo/.state to start over.',
			);
		}
		this.cookie = response.headers
			.getSetCookie()
			.map((cookie) => cookie.split(';')[0])
			.join('; ');
	}

	/**
	 * Sends a request and returns the parsed response, without the `data` wrapper that most endpoints add.
	 *
	 * @throws Error when n8n answers with an error status
	 * @throws Problem when n8n does not answer
	 */
	async request<T>(method: string, path: string, body?: unknown): Promise<T> {
		const response = await this.send(method, path, body);
		const text = await response.text();
		if (!response.ok) {
			throw new Error(`n8n answered ${response.status} to ${method} ${path}: ${text.slice(0, 500)}`);
		}
		const content = JSON.parse(text) as T | { data: T };
		const isWrapped = typeof content === 'object' && content !== null && 'data' in content;
		return isWrapped ? content.data : content;
	}

	/**
	 * Downloads a file.
	 *
	 * @throws Error when n8n answers with an error status
	 * @throws Problem when n8n does not answer
	 */
	async download(path: string): Promise<Buffer> {
		const response = await this.send('GET', path);
		if (!response.ok) throw new Error(`n8n answered ${response.status} to GET ${path}.`);
		return Buffer.from(await response.arrayBuffer());
	}

	/** On a busy machine, n8n may answer with status 503 for a while, before it has looked at the request. */
	private async send(method: string, path: string, body?: unknown): Promise<Response> {
		for (let tries = 1; ; tries++) {
			const response = await this.sendOnce(method, path, body);
			if (response.status !== 503 || tries === BUSY.tries) return response;
			await response.body?.cancel();
			await sleep(BUSY.pauseMs);
		}
	}

	private async sendOnce(method: string, path: string, body?: unknown): Promise<Response> {
		try {
			return await fetch(this.url + path, {
				method,
				// A busy n8n closes an idle connection late, and would cut off the request that reuses it.
				headers: {
					connection: 'close',
					cookie: this.cookie,
					'content-type': 'application/json',
				},
				body: JSON.stringify(body),
				signal: AbortSignal.timeout(60_000),
			});
		} catch {
			throw new Problem(`n8n at ${this.url} does not respond.`, "Check n8n's log for the reason.");
		}
	}
}
