import {
	isErrorObject,
	looksLikeWebPage,
	readErrorBody,
	shortMessage,
} from '../../../nodes/shared/errors/errorBody';

const nothing = { code: undefined, type: undefined, gatewayMessage: undefined, requestId: undefined };

describe('The body of a failed response', () => {
	it('has message, type, and code in its error object', () => {
		const error = { message: 'No such model', type: 'invalid_request', code: 'model_not_found' };
		expect(readErrorBody({ error })).toEqual({
			code: 'model_not_found',
			type: 'invalid_request',
			gatewayMessage: 'No such model',
			requestId: undefined,
		});
	});

	it.each<[string, unknown, object]>([
		['the error as text', { error: 'No', code: 'x' }, { gatewayMessage: 'No', code: 'x' }],
		['no error object', { message: 'No', type: 't' }, { gatewayMessage: 'No', type: 't' }],
		['another name of the message', { error: { msg: 'No' } }, { gatewayMessage: 'No' }],
		['a message for web pages', { error: { 'html-message': 'No' } }, { gatewayMessage: 'No' }],
		['an empty message before another', { message: ' ', msg: 'No' }, { gatewayMessage: 'No' }],
		['the code as a number', { error: { message: 'No', code: 7 } }, { gatewayMessage: 'No', code: '7' }],
		['a code of zero', { code: 0 }, { code: '0' }],
		['the code beside the error', { error: { message: 'No' }, code: 7 }, { gatewayMessage: 'No', code: '7' }],
		['only text', 'No', { gatewayMessage: 'No' }],
	])('may have %s', (_what, body, facts) => {
		expect(readErrorBody(body)).toEqual({ ...nothing, ...facts });
	});

	it.each<[unknown]>([
		[undefined],
		[null],
		[''],
		['  \n'],
		[[]],
		[{}],
		[{ error: {} }],
		[{ error: { message: '', code: null, type: true } }],
		['<!DOCTYPE html><html>A page</html>'],
	])('says nothing if it is %j', (body) => {
		expect(readErrorBody(body)).toEqual(nothing);
	});

	it('is read to its first 200 characters in a code, a type, or an ID', () => {
		const long = 'x'.repeat(1000);
		expect(readErrorBody({ error: { code: long, type: long } }, long)).toEqual({
			...nothing,
			code: 'x'.repeat(200),
			type: 'x'.repeat(200),
			requestId: 'x'.repeat(200),
		});
		expect(readErrorBody(`request id: ${long}`).requestId).toHaveLength(200);
	});
});

describe('The ID of a failed request', () => {
	it('is that of the headers, or else the one in the message', () => {
		const message = 'No (request id: 2026-abc_1)';
		expect(readErrorBody({ error: { message } }).requestId).toBe('2026-abc_1');
		expect(readErrorBody({ error: { message } }, 'from-headers').requestId).toBe('from-headers');
		expect(readErrorBody('Request ID:abc').requestId).toBe('abc');
		expect(readErrorBody('No request').requestId).toBeUndefined();
	});
});

describe("The gateway's words", () => {
	it('become one line without tags and control characters', () => {
		expect(shortMessage(' <p>Not <b>now</b>,\n\t please</p>\u0000\u001b ')).toBe('Not now , please');
		expect(shortMessage('1 < 2')).toBe('1 < 2');
		expect(shortMessage('a\ud800b')).toBe('a b');
		expect(shortMessage('Bad <<b>script<i>>x</script')).not.toMatch(/<\/?[a-z]/i);
	});

	it('are cut after 500 characters', () => {
		expect(shortMessage('x'.repeat(500))).toBe('x'.repeat(500));
		expect(shortMessage('x'.repeat(501))).toBe(`${'x'.repeat(500)}…`);
		expect(readErrorBody('x'.repeat(501)).gatewayMessage).toHaveLength(501);
	});

	it('are searched only in their first 5,000 characters', () => {
		const space = ' '.repeat(4_999);
		expect(shortMessage(`${space}ab`)).toBe('a…');
		expect(shortMessage(`${space}a`)).toBe('a');
		expect(readErrorBody(`${'x'.repeat(4_999)} request id: abc`).requestId).toBeUndefined();
	});
});

describe("A gateway's own error object", () => {
	it('has a message, a type, or a code', () => {
		for (const error of [{ message: 'No' }, { type: 'server_error' }, { code: 'x' }, { code: 500 }]) {
			expect(isErrorObject({ error })).toBe(true);
		}
	});

	it('is nothing that a proxy sends', () => {
		const others = [undefined, null, 'error', {}, { error: 'Bad gateway' }, { message: 'No' }, { error: {} }];
		for (const body of [...others, { error: { message: '' } }, { error: { status: 502 } }]) {
			expect(isErrorObject(body)).toBe(false);
		}
	});
});

describe('A web page', () => {
	it.each([
		['<!DOCTYPE html><html lang="en">'],
		['  \n<!doctype HTML>'],
		['<html>'],
		['<head>'],
		['<body class="x">'],
		['<?xml version="1.0"?>\n<!DOCTYPE html>'],
		['<?xml version="1.0"?><!DOCTYPE html>'],
	])('begins with %j', (text) => {
		expect(looksLikeWebPage(text)).toBe(true);
	});

	it.each([
		[''],
		['Not <html>'],
		['{"a":"<html>"}'],
		['<?xml version="1.0"?><feed/>'],
		['<?xml?><a><!doctype html'],
		['<div>'],
	])('does not begin with %j', (text) => {
		expect(looksLikeWebPage(text)).toBe(false);
	});
});
