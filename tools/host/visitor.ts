import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Problem } from './problem';

/** The longest time that a page may take, in ms. The pictures of a form are generated between two of its pages. */
const pageWithinMs = 120_000;

/**
 * Gets a page as soon as n8n serves it, because n8n registers a workflow a little after publishing it.
 *
 * @param isFile waits for a file, because until the form has ended, n8n mistakes the visit for a visit to the form
 */
export async function getPage(address: string, isFile = false): Promise<string> {
	return await until(`${address} did not answer`, async () => {
		const response = await fetch(address, { signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
		if (!response?.ok || (isFile && !response.headers.has('content-disposition'))) return undefined;
		return await response.text();
	});
}

/**
 * Fills in a form of n8n like a visitor who keeps the default values: uploads the file where one is asked for, and
 * selects the first two options of a list. Then gets the file that the last page links to.
 */
export async function fillInForm(address: string, file: string): Promise<void> {
	await getPage(address);
	await getPage(await fillIn(address, file), true);
}

/** Sends the requests that a browser would send. @returns the address of the result */
async function fillIn(address: string, file: string): Promise<string> {
	let url = address;
	let page = await getPage(url);
	for (;;) {
		const [, result] = /href="([^"]*\/webhook-waiting\/[^"]*)"/.exec(page) ?? [];
		if (result !== undefined) {
			// The script of the last page ends the form, but n8n may answer it only when the workflow has ended.
			fetch(url, { method: 'POST', signal: AbortSignal.timeout(5000) }).catch(() => {});
			return plain(result);
		}
		const [, title = 'a page'] = /<title>(.*?)<\/title>/.exec(page) ?? [];
		if (!page.includes("id='n8n-form'")) throw stuck(title);
		const response = await fetch(url, { method: 'POST', body: await answersTo(page, file) });
		const { formWaitingUrl } = JSON.parse((await response.text()) || '{}') as { formWaitingUrl?: string };
		url = formWaitingUrl ?? url;
		const before = page;
		page = await until(`The form did not go on after “${title}”`, async () => {
			if ((await statusOf(url)) !== 'form-waiting') return undefined;
			const next = await (await fetch(url)).text();
			return next === before ? undefined : next;
		});
	}
}

/** Returns the status that the script of a page requests before it goes on. It says whether the next page is ready. */
async function statusOf(address: string): Promise<string> {
	const url = new URL(address);
	url.pathname += '/n8n-execution-status';
	return (await (await fetch(url)).text()).trim();
}

/** Returns the form data that the script of a page sends for its fields. */
async function answersTo(page: string, file: string): Promise<FormData> {
	const answers = new FormData();
	for (const [, name] of page.matchAll(/\sid=["'](field-\d+)["']/g)) {
		const [field] = new RegExp(`<input[^>]*\\sid=["']${name}["'][^>]*>`).exec(page) ?? [];
		const options = [...page.matchAll(new RegExp(`id='option\\d+_${name}' value='([^']*)'`, 'g'))];
		if (field === undefined) {
			answers.set(name, JSON.stringify(options.slice(0, 2).map(([, value]) => plain(value))));
		} else if (field.includes("type='file'")) {
			answers.set(name, new Blob([await readFile(file)]), path.basename(file));
		} else {
			answers.set(name, plain(/value="([^"]*)"/.exec(field)?.[1] ?? ''));
		}
	}
	return answers;
}

/** Decodes the entities of an HTML text. */
function plain(html: string): string {
	return html
		.replaceAll(/&#x([\da-f]+);/gi, (_entity, code: string) => String.fromCodePoint(parseInt(code, 16)))
		.replaceAll('&quot;', '"')
		.replaceAll('&lt;', '<')
		.replaceAll('&gt;', '>')
		.replaceAll('&amp;', '&');
}

function stuck(title: string): Problem {
	return new Problem(`The form ended at the page “${title}”.`, 'Open it in a browser to see what it says.');
}

/** The first answer that is not undefined. */
async function until<T>(failure: string, ask: () => Promise<T | undefined>): Promise<T> {
	const deadline = Date.now() + pageWithinMs;
	while (Date.now() < deadline) {
		const answer = await ask();
		if (answer !== undefined) return answer;
		await sleep(250);
	}
	throw new Problem(
		`${failure} within ${pageWithinMs / 1000} s.`,
		'Open the executions of the workflow to see where it stopped.',
	);
}
