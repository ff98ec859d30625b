import type { FailureFacts } from '../../../nodes/shared/failure/evidence';
import { fateInWords, mustBeLookedUp } from '../../../nodes/shared/failure/fate';
import type { FailureKind, Verdict } from '../../../nodes/shared/failure/kinds';

const MAY = /^The gateway may have carried the request out and charged for it\. Look it up in the console/;
const NOT_AGAIN =
	/charged for it\. For that reason, it was not sent again\. Look it up .* set Idempotency Header \(Advanced Settings/;
const ONE_OF_THEM = /^The gateway may have carried out one of the attempts and charged for it\. Look it up/;
const MAY_BE_CHARGED = /^The gateway may have charged for the request\.$/;
const REJECTED = /^The request was not carried out\.$/;
const NOTHING = /^$/;

it.each<[FailureKind, Verdict['charge'], Verdict['again'], FailureFacts, RegExp]>([
	['download', 'certain', 'never', {}, NOTHING],
	['storage', 'certain', 'never', {}, NOTHING],
	['task', 'possible', 'never', {}, NOTHING],
	['bug', 'none', 'never', {}, /^Nothing was paid for\.$/],
	['bug', 'possible', 'never', {}, MAY],
	['unreachable', 'none', 'soon', {}, /^Nothing was sent\.$/],
	['authentication', 'none', 'never', { status: 401 }, REJECTED],
	['permission', 'none', 'never', { status: 403 }, REJECTED],
	['notFound', 'none', 'never', { status: 404 }, REJECTED],
	['request', 'none', 'never', { status: 400 }, REJECTED],
	['address', 'none', 'never', { status: 405 }, REJECTED],
	['request', 'none', 'never', {}, NOTHING],
	['request', 'none', 'soon', { status: 409 }, NOTHING],
	['gateway', 'none', 'never', { status: 500 }, NOTHING],
	['answer', 'certain', 'never', {}, /^The gateway has probably charged for it\.$/],
	[
		'answer',
		'certain',
		'never',
		{ partial: { text: 'A' } },
		/for it, so the error details contain what arrived\.$/,
	],
	['gateway', 'possible', 'soon', { attempts: 3 }, MAY_BE_CHARGED],
	['cancelled', 'possible', 'never', {}, MAY_BE_CHARGED],
	['address', 'possible', 'never', { attempts: 1 }, MAY_BE_CHARGED],
	['address', 'possible', 'ifFree', {}, NOT_AGAIN],
	['gateway', 'possible', 'never', {}, MAY],
	['gateway', 'possible', 'ifFree', { attempts: 1 }, NOT_AGAIN],
	['gateway', 'possible', 'ifFree', { attempts: 2 }, ONE_OF_THEM],
	['cancelled', 'possible', 'never', { attempts: 2 }, ONE_OF_THEM],
])(
	'What became of a request is said for a failure of kind %s with charge %s, again %s, and %j',
	(kind, charge, again, facts, words) => {
		expect(fateInWords(kind, { charge, again }, facts)).toMatch(words);
	},
);

const BEFORE = 'Successful requests of this item have been charged.';

it.each<[FailureKind, Verdict['charge'], string]>([
	['request', 'none', `The request was not carried out. ${BEFORE}`],
	['spendingLimit', 'none', BEFORE],
	['request', 'possible', 'The gateway may have charged for the request.'],
	['download', 'none', ''],
])(
	'What an item has paid for before is said only if its last request was free: %s, %s',
	(kind, charge, words) => {
		const again = charge === 'none' ? 'never' : 'soon';
		expect(fateInWords(kind, { charge, again, paidBefore: true }, { status: 400 })).toBe(words);
	},
);

it.each<[Verdict['charge'], Verdict['again'], boolean]>([
	['none', 'never', false],
	['possible', 'soon', false],
	['possible', 'ifFree', true],
	['certain', 'never', true],
])('A request with charge %s, and again %s, must be looked up: %s', (charge, again, expected) => {
	expect(mustBeLookedUp({ charge, again })).toBe(expected);
});
