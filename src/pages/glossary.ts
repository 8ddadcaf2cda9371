import type { Label, LabelText } from '@monroney/label/reading/types';
import { textsOf } from '@monroney/label/lib/option-names';
import { html, type Html } from './html.ts';

/** A word on stickers, how it is printed, and what it means in one line. */
type Term = readonly [word: string, printed: RegExp, meaning: string];

const TERMS: readonly Term[] = [
  [
    'Equipment group number',
    /\b(?:group|package|pkg|code)[ .]{1,2}\d{1,3}[a-z]{1,2}\b/i,
    'The manufacturer’s code for a set of equipment that is ordered together.',
  ],
  [
    'MSRP',
    /\bmsrp\b|manufacturer.s suggested retail/i,
    'The manufacturer’s suggested retail price. The dealer may ask more or less.',
  ],
  [
    'Destination',
    /\bdestination\b|\bfreight\b/i,
    'What the manufacturer charges to ship the car to the dealer. The same for every buyer of the model.',
  ],
  [
    'GVWR',
    /\bgvwr\b|gross vehicle weight/i,
    'Gross vehicle weight rating: the most that the car may weigh with people, cargo and fuel.',
  ],
  [
    'GAWR',
    /\bgawr\b|gross axle weight/i,
    'Gross axle weight rating: the most weight that one axle may carry.',
  ],
  ['Payload', /\bpayload\b/i, 'How much weight of people and cargo the car can carry.'],
  [
    'Axle ratio',
    /\baxle ratio|\b\d\.\d\d\b[^\n]{0,40}\baxle\b|\baxle\b[^\n]{0,20}\bratio\b|\bratio[^\n]{0,20}\baxle\b/i,
    'How often the driveshaft turns for one turn of the wheels. Higher pulls better; lower saves fuel.',
  ],
  [
    'Limited slip',
    /\b(?:limited|ltd)[- –]slip/i,
    'A differential that sends power to the wheel that grips when the other one spins.',
  ],
  [
    'AWD',
    /\be?awd\b|all[- ]wheel[- ]drive/i,
    'All-wheel drive: all four wheels can be driven, as the car decides.',
  ],
  [
    '4WD',
    /\b4wd\b|\b4x4\b|four[- ]wheel[- ]drive/i,
    'Four-wheel drive, usually with gears for rough ground that the driver selects.',
  ],
  ['FWD', /\bfwd\b|front[- ]wheel[- ]drive/i, 'Front-wheel drive: only the front wheels are driven.'],
  ['RWD', /\brwd\b|rear[- ]wheel[- ]drive/i, 'Rear-wheel drive: only the rear wheels are driven.'],
  ['SRW', /\bsrw\b|single rear wheel/i, 'Single rear wheels: one on each side.'],
  ['DRW', /\bdrw\b|dual rear wheel/i, 'Dual rear wheels: two on each side, for heavy loads.'],
  [
    'BLIS',
    /\bblis\b|blind[- ]spot/i,
    'Blind spot information system: warns of cars beside you that the mirrors don’t show.',
  ],
  [
    'ABS',
    /\babs\b|anti[- ]?lock/i,
    'Antilock brakes: the wheels keep turning when you brake hard, so you can steer.',
  ],
  ['DRL', /\bdrls?\b|daytime running/i, 'Daytime running lights: on by day, so that others see the car.'],
  ['LED', /\bleds?\b/i, 'Light-emitting diodes: bright lamps that last and need little power.'],
  ['HID', /\bhid\b|xenon/i, 'High-intensity discharge headlamps, also called xenon.'],
  [
    'TPMS',
    /\btpms\b|tire[- ]pressure/i,
    'Tire pressure monitoring system: warns when a tire loses pressure.',
  ],
  ['EV', /\bb?evs?\b|electric vehicle/i, 'Electric vehicle: no engine, charged from a plug.'],
  [
    'PHEV',
    /\bphev\b|plug[- ]in hybrid/i,
    'Plug-in hybrid: drives some miles on electricity from a plug, then on fuel.',
  ],
  ['HEV', /\bhev\b|\bhybrid\b/i, 'Hybrid: an engine and an electric motor, without a plug.'],
  [
    'MPGe',
    /\bmpge\b/i,
    'Miles per gallon equivalent: miles on the electricity that holds as much energy as a gallon of gasoline.',
  ],
  ['kWh', /\bkwh\b|\bkw-hrs?\b/i, 'Kilowatt-hour: how much energy a battery holds or a drive takes.'],
  [
    'CVT',
    /\be?cvt\b|continuously variable/i,
    'Continuously variable transmission: an automatic without fixed gears.',
  ],
  [
    'DCT',
    /\bdct\b|dual[- ]clutch/i,
    'Dual-clutch transmission: an automatic that changes gears without a pause.',
  ],
  ['Package or group', /\bpackages?\b|\bpkg\b|\bgroup\b/i, 'Several options sold together for one price.'],
  [
    'Credit',
    /\bcredit\b|\bdiscount\b|\bsavings\b/i,
    'Taken off the price, because something is missing or for a set of options.',
  ],
  ['Delete', /\bdeletes?\b/i, 'Something that usually comes with the car was left out.'],
  ['No charge', /\bno charge\b|\bn\/c\b/i, 'An option that costs nothing extra.'],
  [
    'Gas guzzler tax',
    /gas guzzler/i,
    'A federal tax on new cars that use much fuel. It’s part of the total.',
  ],
  [
    'Port-installed',
    /\bport[- ]installed|\bpio\b/i,
    'Added at the port where the car arrived, not at the factory.',
  ],
  ['Dealer-installed', /dealer[- ]installed/i, 'Added by the dealer, not at the factory.'],
  [
    '50-state emissions',
    /\b(?:50|fifty)[- ]states? emission/i,
    'The car meets the emission rules of all fifty states.',
  ],
  [
    'Federal A/C excise tax',
    /a\/c excise|air condition\w{0,4} (?:excise )?tax/i,
    'Canada’s $100 tax on air conditioners in cars.',
  ],
  ['Green Levy', /green levy/i, 'Canada’s tax on new cars that use much fuel.'],
];

/** On every sticker in the United States by law, so they are explained on each. */
const ALWAYS: readonly (readonly [string, string])[] = [
  [
    'Monroney',
    'The senator whose 1958 law requires this sticker on every new car sold in the United States.',
  ],
  ['EPA', 'The Environmental Protection Agency, which is responsible for the fuel economy figures.'],
  ['NHTSA', 'The National Highway Traffic Safety Administration, which gives the safety stars.'],
];

/** The words on a sticker that need explaining, in the order above. `text`: all that it says, if that is stored. */
export function wordsOn(label: Label, text: LabelText | null): (readonly [word: string, meaning: string])[] {
  const { prices, fuelEconomy } = label;
  const printed = [
    ...(text?.pages ?? []).flatMap(({ items }) => items.map((item) => item.text)),
    label.model ?? '',
    label.nameplate ?? '',
    label.series ?? '',
    ...textsOf(label),
    prices.destination === null ? '' : 'destination',
    prices.base === null ? '' : 'MSRP',
    fuelEconomy?.electric ? `MPGe kWh ${fuelEconomy.unit === 'MPGe' ? 'EV' : 'PHEV'}` : '',
    [prices.options, prices.discounts].flat().some(({ price }) => price === 0) ? 'no charge' : '',
    prices.discounts.length > 0 ? 'credit' : '',
  ].join('\n');
  const found = TERMS.filter(([, pattern]) => pattern.test(printed));
  // Stickers of plug-in hybrids say "hybrid" too.
  const isPlugIn = found.some(([word]) => word === 'PHEV');
  const meant = found.filter(([word]) => word !== 'HEV' || !isPlugIn);
  return [
    ...meant.map(([word, , meaning]) => [word, meaning] as const),
    ...(label.market === 'US' ? ALWAYS : []),
  ];
}

/** Each word opens its meaning on a tap: those on a sticker, or all. */
export function glossary(label?: Label, text: LabelText | null = null): Html {
  const words = label
    ? wordsOn(label, text)
    : [...TERMS.map(([word, , meaning]) => [word, meaning]), ...ALWAYS];
  return html`<section id="words">
    <h2>Words on ${label ? 'this sticker' : 'stickers'}</h2>
    <div class="folds glossary">
      ${words.map(
        ([word, meaning]) =>
          html`<details>
            <summary>${word}</summary>
            <p class="small">${meaning}</p>
          </details>`,
      )}
    </div>
  </section>`;
}
