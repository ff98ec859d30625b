import { dayOf } from '../../../nodes/Utilities/calendarDay';

const ZONES = ['UTC', 'America/New_York', 'Asia/Shanghai', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'];

describe('The calendar day of a text', () => {
	it.each([
		'2026-08-21',
		' 2026-08-21 ',
		'2026-08-21T00:00:00',
		'2026-08-21T23:59:59.999',
		'2026-08-21 23:30',
		'2026-08-21T23:30:00.000+08:00',
		'2026-08-21T00:30:00-04:00',
		'2026-08-21 9:30',
		'2026-08-21 11:30 PM',
		'2026-08-21T23:30:00+0800[Asia/Shanghai]',
	])('%j is the one in the text, in each time zone', (text) => {
		for (const zone of ZONES) expect(dayOf(text, zone)).toBe('2026-08-21');
	});
});

describe('The calendar day of a moment', () => {
	/** One moment in the forms that nodes and spreadsheets have for it. */
	const formsOf = (iso: string) => {
		const moment = new Date(iso);
		return [moment, moment.getTime(), String(moment.getTime()), ` ${moment.getTime()} `, iso];
	};

	it.each([
		['2026-08-21T23:30:00.000Z', 'UTC', '2026-08-21'],
		['2026-08-21T23:30:00Z', 'Asia/Shanghai', '2026-08-22'],
		['2026-08-21T16:00:00.000Z', 'Asia/Shanghai', '2026-08-22'],
		['2026-08-21T15:59:59.999Z', 'Asia/Shanghai', '2026-08-21'],
		['2026-08-21T04:00:00.000Z', 'America/New_York', '2026-08-21'],
		['2026-08-21T03:59:00Z', 'America/New_York', '2026-08-20'],
		['2025-12-31T23:00:00.000Z', 'Europe/Berlin', '2026-01-01'],
	])('%s is a day in %s', (iso, zone, day) => {
		for (const form of formsOf(iso)) expect([form, dayOf(form, zone)]).toEqual([form, day]);
	});

	it('at midnight in UTC is the day that databases write like this', () => {
		for (const form of formsOf('2026-08-21T00:00:00.000Z')) {
			for (const zone of ZONES) expect([form, dayOf(form, zone)]).toEqual([form, '2026-08-21']);
		}
	});

	it('may be in milliseconds of a calculation', () => {
		expect(dayOf(1_787_355_000_000.0, 'UTC')).toBe('2026-08-21');
	});
});

describe('No calendar day', () => {
	it.each([
		['tomorrow'],
		['2026-02-30'],
		['2026-13-01'],
		['2026-02-30T23:30:00Z'],
		['2026-08-21later'],
		['2026-08-21Tlater'],
		['2026-08-21T'],
		['21.08.2026'],
		['26-08-21'],
		// Seconds, an odd number of digits, and the number of a day in a spreadsheet.
		[1_787_355_000],
		['178735500000'],
		['17873550000000'],
		[46_255],
		[-1_787_355_000_000],
		[1_787_355_000_000.5],
		[true],
		[{}],
		[[]],
		[new Date(Number.NaN)],
		['2026-08-2\u0661'],
	])('is %j', (value) => {
		expect(dayOf(value, 'Asia/Shanghai')).toBeUndefined();
	});
});
