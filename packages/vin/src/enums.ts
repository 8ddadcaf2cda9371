/**
 * The values of vPIC's coded elements with their ids, as of 2026-10. Written by `npm run vpic:build`; don't edit.
 * A later release may add values.
 */

/** Antilock Braking System (ABS) */
export const ABS = {
  'Not Applicable': 0,
  'Standard': 1,
  'Not Available': 2,
  'Optional': 3,
} as const;
export type ABS = keyof typeof ABS;

/** Adaptive Cruise Control (ACC) */
export const AdaptiveCruiseControl = {
  'Not Applicable': 0,
  'Standard': 1,
  'Not Available': 2,
  'Optional': 3,
} as const;
export type AdaptiveCruiseControl = keyof typeof AdaptiveCruiseControl;

/** Adaptive Driving Beam (ADB) */
export const AdaptiveDrivingBeam = {
  'Not Applicable': 0,
  'Standard': 1,
  'Not Available': 2,
  'Optional': 3,
} as const;
export type AdaptiveDrivingBeam = keyof typeof AdaptiveDrivingBeam;

/** Curtain Air Bag Locations */
export const AirBagLocCurtain = {
  'Not Applicable': 0,
  'Driver Seat Only': 1,
  'Passenger Seat Only': 2,
  '1st Row (Driver and Passenger)': 3,
  '1st and 2nd Rows': 4,
  '1st and 2nd and 3rd Rows': 5,
  'All Rows': 6,
} as const;
export type AirBagLocCurtain = keyof typeof AirBagLocCurtain;

/** Front Air Bag Locations */
export const AirBagLocFront = {
  'Not Applicable': 0,
  'Driver Seat Only': 1,
  '1st Row (Driver and Passenger)': 3,
} as const;
export type AirBagLocFront = keyof typeof AirBagLocFront;

/** Knee Air Bag Locations */
export const AirBagLocKnee = {
  'Not Applicable': 0,
  'Driver Seat Only': 1,
  'Passenger Seat Only': 2,
  '1st Row (Driver and Passenger)': 3,
} as const;
export type AirBagLocKnee = keyof typeof AirBagLocKnee;

/** Seat Cushion Air Bag Locations */
export const AirBagLocSeatCushion = {
  'Not Applicable': 0,
  'Driver Seat Only': 1,
  'Passenger Seat Only': 2,
  '1st Row (Driver and Passenger)': 3,
  '1st and 2nd Rows': 4,
  '1st and 2nd and 3rd Rows': 5,
} as const;
export type AirBagLocSeatCushion = keyof typeof AirBagLocSeatCushion;

/** Side Air Bag Locations */
export const AirBagLocSide = {
  'Not Applicable': 0,
  'Driver Seat Only': 1,
  'Passenger Seat Only': 2,
  '1st Row (Driver and Passenger)': 3,
  '1st and 2nd Rows': 4,
  '1st and 2nd and 3rd Rows': 5,
  'All Rows': 6,
} as const;
export type AirBagLocSide = keyof typeof AirBagLocSide;

/** Auto-Reverse System for Windows and Sunroofs */
export const AutoReverseSystem = {
  'Not Applicable': 0,
  'Standard': 1,
  'Not Available': 2,
  'Optional': 3,
} as const;
export type AutoReverseSystem = keyof typeof AutoReverseSystem;

/** Automatic Pedestrian Alerting Sound (for Hybrid and EV only) */
export const AutomaticPedestrianAlertingSound = {
  'Not Applicable': 0,
  'Standard': 1,
  'Not Available': 2,
  'Optional': 3,
} as const;
export type AutomaticPedestrianAlertingSound = keyof typeof AutomaticPedestrianAlertingSound;

/** Axle Configuration */
export const AxleConfiguration = {
  'SBA - Set-Back Axle': 1,
  'SFA - Set-Forward Axle': 2,
  'Tandem': 3,
  'Independent Axle': 4,
  'Single': 5,
} as const;
export type AxleConfiguration = keyof typeof AxleConfiguration;

/** Battery Type */
export const BatteryType = {
  'Not Applicable': 0,
  'Lead Acid/Lead': 1,
  'Nickel-Metal-Hydride/NiMH': 2,
  'Lithium-ion/Li-Ion': 3,
  'Nickle-Cobalt-Manganese/NCM': 5,
  'Nickle-Cobalt-Aluminum/NCA': 6,
  'Manganese Oxide Spinel/MnO': 7,
  'Iron Phosphate/FePo': 8,
  'Silicon': 9,
} as const;
export type BatteryType = keyof typeof BatteryType;

/** Bed Type */
export const BedType = {
  'Not Applicable': 0,
  'Long': 1,
  'Short': 2,
  'Extended': 3,
  'Standard': 4,
} as const;
export type BedType = keyof typeof BedType;

/** Blind Spot Intervention (BSI) */
export const BlindSpotIntervention = {
  'Standard': 1,
  'Optional': 3,
} as const;
export type BlindSpotIntervention = keyof typeof BlindSpotIntervention;

/** Blind Spot Warning (BSW) */
export const BlindSpotMon = {
  'Not Applicable': 0,
  'Standard': 1,
  'Not Available': 2,
  'Optional': 3,
} as const;
export type BlindSpotMon = keyof typeof BlindSpotMon;

/** Cab Type */
export const BodyCabType = {
  'Not Applicable': 0,
  'Extra/Super/Quad/Double/King/Extended': 2,
  'Regular': 3,
  'Crew/Super Crew/Crew Max': 4,
  'MDHD: Conventional': 5,
  'MDHD: COE (Cab Over Engine)': 6,
  'MDHD: CBE (Cab Behind Engine)': 7,
  'MDHD: CAE (Cab Above Engine)': 8,
  'MDHD: LCF (Low Cab Forward)': 9,
  'MDHD: Tilt': 10,
  'MDHD: Non-Tilt': 11,
  'MDHD: Cab Beside Engine': 12,
  'Mega': 13,
} as const;
export type BodyCabType = keyof typeof BodyCabType;

/** Body Class */
export const BodyClass = {
  'Convertible/Cabriolet': 1,
  'Minivan': 2,
  'Coupe': 3,
  'Low Speed Vehicle [LSV]/Neighborhood Electric Vehicle [NEV]': 4,
  'Hatchback/Liftback/Notchback': 5,
  'Motorcycle - Standard': 6,
  'Sport Utility Vehicle [SUV]/Multipurpose Vehicle [MPV]': 7,
  'Crossover Utility Vehicle [CUV]': 8,
  'Van': 9,
  'Roadster': 10,
  'Truck': 11,
  'Motorcycle - Scooter': 12,
  'Sedan/Saloon': 13,
  'Wagon': 15,
  'Bus': 16,
  'Pickup': 60,
  'Trailer': 61,
  'Incomplete - Cutaway': 62,
  'Incomplete - Chassis Cab (Single Cab)': 63,
  'Incomplete - Glider': 64,
  'Incomplete': 65,
  'Truck-Tractor': 66,
  'Incomplete - Stripped Chassis': 67,
  'Streetcar/Trolley': 68,
  'Off-Road Vehicle - All-Terrain Vehicle [ATV] (Motorcycle-Style)': 69,
  'Incomplete - Chassis Cab (Double Cab)': 70,
  'Incomplete - School Bus Chassis': 71,
  'Incomplete - Commercial Bus Chassis': 72,
  'Bus - School Bus': 73,
  'Incomplete - Chassis Cab (Number of Cab Unknown)': 74,
  'Incomplete - Transit Bus Chassis': 75,
  'Incomplete - Motor Coach Chassis': 76,
  'Incomplete - Shuttle Bus Chassis': 77,
  'Incomplete - Motor Home Chassis': 78,
  'Motorcycle - Sport': 80,
  'Motorcycle - Touring/Sport Touring': 81,
  'Motorcycle - Cruiser': 82,
  'Motorcycle - Three-Wheeled Motorcycle [2 Rear Wheels]': 83,
  'Off-Road Vehicle - Dirt Bike/Off-Road': 84,
  'Motorcycle - Dual-Sport/Adventure/Supermoto/On-Off Road': 85,
  'Off-road Vehicle - Enduro (Off-road long distance racing)': 86,
  'Motorcycle - Small/Minibike': 87,
  'Off-Road Vehicle - Go-Kart': 88,
  'Motorcycle - Side Car': 90,
  'Motorcycle - Custom': 94,
  'Cargo Van': 95,
  'Off-road Vehicle - Snowmobile': 97,
  'Motorcycle - Street': 98,
  'Motorcycle - Enclosed Three Wheeled or Enclosed Autocycle [1 Rear Wheel]': 100,
  'Motorcycle - Unenclosed Three Wheeled or Open Autocycle [1 Rear Wheel]': 103,
  'Motorcycle - Moped': 104,
  'Off-road Vehicle - Multipurpose Off-Highway Utility Vehicle [MOHUV] or Recreational Off-Highway Vehicle [ROV]': 105,
  'Incomplete - Bus Chassis': 107,
  'Motorhome': 108,
  'Motorcycle - Cross Country': 109,
  'Motorcycle - Underbone': 110,
  'Step Van/Walk-in Van': 111,
  'Incomplete - Commercial Chassis': 112,
  'Off-road Vehicle - Motocross (Off-road short distance, closed track racing)': 113,
  'Motorcycle - Competition': 114,
  'Incomplete - Trailer Chassis': 116,
  'Limousine': 117,
  'Sport Utility Truck [SUT]': 119,
  'Off-road Vehicle - Golf Cart': 124,
  'Motorcycle - Unknown Body Class': 125,
  'Off-road Vehicle - Construction Equipment': 127,
  'Ambulance': 128,
  'Street Sweeper': 129,
  'Fire Apparatus': 130,
  'Motorcycle - Three Wheeled, Unknown Enclosure or Autocycle, Unknown Enclosure': 131,
} as const;
export type BodyClass = keyof typeof BodyClass;

/** Brake System Type */
export const BrakeSystemType = {
  'Air': 1,
  'Hydraulic': 2,
  'Air and Hydraulic': 3,
  'Electric': 4,
  'Mechanical': 5,
} as const;
export type BrakeSystemType = keyof typeof BrakeSystemType;

/** Bus Floor Configuration Type */
export const BusFloorConfigType = {
  'Not Applicable': 0,
  'Normal': 1,
  'Lift/Raised': 2,
  'Low Floor': 4,
} as const;
export type BusFloorConfigType = keyof typeof BusFloorConfigType;

/** Bus Type */
export const BusType = {
  'Not Applicable': 0,
  'Commuter Coach': 1,
  'Double Deck Coach': 2,
  'Tourist Coach': 3,
  'Urban Bus': 4,
  'Transit Bus': 5,
  'Entertainer Coach': 6,
  'Motorhome': 7,
} as const;
export type BusType = keyof typeof BusType;

/** Automatic Crash Notification (ACN)/Advanced Automatic Crash Notification (AACN) */
export const CAN_AACN = {
  'Not Applicable': 0,
  'Standard': 1,
  'Not Available': 2,
  'Optional': 3,
} as const;
export type CAN_AACN = keyof typeof CAN_AACN;

/** Crash Imminent Braking (CIB) */
export const CIB = {
  'Not Applicable': 0,
  'Standard': 1,
  'Not Available': 2,
  'Optional': 3,
} as const;
export type CIB = keyof typeof CIB;

/** Charger Level */
export const ChargerLevel = {
  'Not Applicable': 0,
  'Level 1 AC Charger (typically 16A 120V 1.9KW or 13-16A 240V 3KW) may incorporate standard domestic power cord.': 1,
  'Level 2 AC Charger (up to 80A, 208-240V AC, up to 20kW from single- or three-phase AC) cables permanently fixed to charging station.': 2,
  'Level 3 DC Charger or fast charger (up to 400A, up to 600V DC, up to 240KW)': 3,
} as const;
export type ChargerLevel = keyof typeof ChargerLevel;

/** Combined Braking System (CBS) */
export const CombinedBrakingSystem = {
  'Standard': 1,
  'Optional': 3,
} as const;
export type CombinedBrakingSystem = keyof typeof CombinedBrakingSystem;

/** Cooling Type */
export const CoolingType = {
  'Not Applicable': 0,
  'Air': 1,
  'Water': 2,
} as const;
export type CoolingType = keyof typeof CoolingType;

/** Custom Motorcycle Type */
export const CustomMotorcycleType = {
  'Not Applicable': 0,
  'Chopper/Chopped': 2,
  'Rigid Frame': 4,
  'Sportster': 5,
  'Dresser': 6,
  'Bobber': 7,
  'Roller Kit': 8,
  'Show Bike': 9,
  'Drop Seat': 10,
  'Street/Prostreet': 11,
  'Hot Rod': 12,
  'Bagger': 13,
  'Tour/Touring': 14,
  'Base': 15,
  'Standard': 16,
  'Drag': 17,
  'Cruising': 18,
  'Scooter': 19,
  'Cafe Racer': 20,
  'Side-by-Side Seating': 21,
  'Utility': 22,
} as const;
export type CustomMotorcycleType = keyof typeof CustomMotorcycleType;

/** Daytime Running Light (DRL) */
export const DaytimeRunningLight = {
  'Not Applicable': 0,
  'Standard': 1,
  'Not Available': 2,
  'Optional': 3,
} as const;
export type DaytimeRunningLight = keyof typeof DaytimeRunningLight;

/** Destination Market */
export const DestinationMarket = {
  '49 states (Except California)': 1,
  '50 states': 2,
  'California': 3,
  'Canada': 4,
  'Europe': 5,
  'Worldwide': 6,
  'Japan': 7,
  'Gulf States': 8,
  'South Korea': 9,
  'Non-U.S., Non-Canada': 10,
  'Mexico': 11,
  'Non-U.S., Canada, or Mexico': 12,
  'Other Export Market (BUX) ': 13,
  'U.S., Canada': 14,
  'U.S., Canada, Other Export Market (BUX)': 15,
  'U.S., Canada, Mexico, Other Export Market (BUX)': 16,
  'U.S.': 17,
  'U.S., Canada, Mexico': 18,
  'U.S., Mexico': 19,
  'U.S., Other Export Market (BUX)': 20,
  'U.S., Mexico, Other Export Market (BUX)': 21,
  'Hawaii': 22,
  'Alaska': 23,
  'Continental US (excluding Hawaii and Alaska)': 24,
  'Australia': 25,
  'England': 26,
  'Brazil': 27,
  'Canada, Mexico, Other Export Market (BUX)': 28,
  'United Kingdom (UK)': 29,
  'Canada and Other Export Market (BUX) ': 31,
  'Rest of the World (ROW)': 32,
  'Arabian Countries': 33,
  'Mexico and Other Export Market (BUX) ': 34,
  'U.S., Puerto Rico, Canada': 35,
} as const;
export type DestinationMarket = keyof typeof DestinationMarket;

/** Drive Type */
export const DriveType = {
  'Not Applicable': 0,
  'FWD/Front-Wheel Drive': 1,
  '4WD/4-Wheel Drive/4x4': 2,
  'AWD/All-Wheel Drive': 3,
  'RWD/Rear-Wheel Drive': 4,
  '6x4': 5,
  'Other': 6,
  '4x2': 7,
  'Glider': 8,
  '6x2': 9,
  '8x8': 10,
  '8x4': 12,
  '6x6': 13,
  '8x6': 14,
  '10x4': 15,
  '10x6': 16,
  '12x4': 17,
  '12x6': 18,
  '14x4': 19,
  '8x2': 20,
  '10x10': 21,
  '14x6': 22,
  '10x8': 23,
  '2WD/4WD': 24,
} as const;
export type DriveType = keyof typeof DriveType;

/** Dynamic Brake Support (DBS) */
export const DynamicBrakeSupport = {
  'Not Applicable': 0,
  'Standard': 1,
  'Not Available': 2,
  'Optional': 3,
} as const;
export type DynamicBrakeSupport = keyof typeof DynamicBrakeSupport;

/** Event Data Recorder (EDR) */
export const EDR = {
  'Not Applicable': 0,
  'Standard': 1,
  'Not Available': 2,
  'Optional': 3,
} as const;
export type EDR = keyof typeof EDR;

/** Electronic Stability Control (ESC) */
export const ESC = {
  'Not Applicable': 0,
  'Standard': 1,
} as const;
export type ESC = keyof typeof ESC;

/** EV Drive Unit */
export const EVDriveUnit = {
  'Not Applicable': 0,
  'Dual Motor': 1,
  'Single Motor': 2,
  'Triple Motor': 3,
  'Quad Motor': 4,
} as const;
export type EVDriveUnit = keyof typeof EVDriveUnit;

/** Electrification Level */
export const ElectrificationLevel = {
  'Not Applicable': 0,
  'Mild HEV (Hybrid Electric Vehicle)': 1,
  'Strong HEV (Hybrid Electric Vehicle)': 2,
  'PHEV (Plug-in Hybrid Electric Vehicle)': 3,
  'BEV (Battery Electric Vehicle)': 4,
  'FCEV (Fuel Cell Electric Vehicle)': 5,
  'HEV (Hybrid Electric Vehicle) - Level Unknown': 9,
} as const;
export type ElectrificationLevel = keyof typeof ElectrificationLevel;

/** Engine Configuration */
export const EngineConfiguration = {
  'Not Applicable': 0,
  'In-Line': 1,
  'V-Shaped': 2,
  'Rotary': 3,
  'W Shaped': 4,
  'Horizontally opposed (boxer)': 5,
} as const;
export type EngineConfiguration = keyof typeof EngineConfiguration;

/** Entertainment System */
export const EntertainmentSystem = {
  'Not Applicable': 0,
  'Rear Entertainment System': 1,
  'CD + stereo': 2,
} as const;
export type EntertainmentSystem = keyof typeof EntertainmentSystem;

/** Forward Collision Warning (FCW) */
export const ForwardCollisionWarning = {
  'Not Applicable': 0,
  'Standard': 1,
  'Not Available': 2,
  'Optional': 3,
} as const;
export type ForwardCollisionWarning = keyof typeof ForwardCollisionWarning;

/** Fuel Delivery/Fuel Injection Type */
export const FuelInjectionType = {
  'Not Applicable': 0,
  'Stoichiometric gasoline direct injection (SGDI)': 1,
  'Lean-burn gasoline direct injection (LBGDI)': 2,
  'Multipoint Fuel Injection (MPFI)': 3,
  'Sequential Fuel Injection (SFI)': 4,
  'Throttle Body Fuel Injection (TBI)': 5,
  'Common Rail Direct Injection Diesel (CRDI)': 6,
  'Unit Injector Direct Injection Diesel (UDI)': 7,
  'Compression Ignition': 9,
  'Transistor Controlled Ignition (TCI)': 10,
} as const;
export type FuelInjectionType = keyof typeof FuelInjectionType;

/** Fuel-Tank Material */
export const FuelTankMaterial = {
  'Steel': 1,
  'Aluminum alloy': 2,
  'Other composite': 4,
  'Injection-molded plastic': 5,
} as const;
export type FuelTankMaterial = keyof typeof FuelTankMaterial;

/** Fuel-Tank Type */
export const FuelTankType = {
  'Saddle': 1,
  'Under seat': 2,
  'Submerged in frame': 3,
} as const;
export type FuelTankType = keyof typeof FuelTankType;

/** Fuel Type - Primary */
export const FuelTypePrimary = {
  'Not Applicable': 0,
  'Diesel': 1,
  'Electric': 2,
  'Gasoline': 4,
  'Compressed Natural Gas (CNG)': 6,
  'Liquefied Natural Gas (LNG)': 7,
  'Compressed Hydrogen/Hydrogen': 8,
  'Liquefied Petroleum Gas (propane or LPG)': 9,
  'Ethanol (E85)': 10,
  'Methanol (M85)': 13,
  'Flexible Fuel Vehicle (FFV)': 15,
  'Natural Gas': 17,
  'Fuel Cell': 18,
} as const;
export type FuelTypePrimary = keyof typeof FuelTypePrimary;

/** Fuel Type - Secondary */
export const FuelTypeSecondary = {
  'Not Applicable': 0,
  'Diesel': 1,
  'Electric': 2,
  'Gasoline': 4,
  'Compressed Natural Gas (CNG)': 6,
  'Liquefied Natural Gas (LNG)': 7,
  'Compressed Hydrogen/Hydrogen': 8,
  'Liquefied Petroleum Gas (propane or LPG)': 9,
  'Ethanol (E85)': 10,
  'Neat Ethanol (E100)': 11,
  'Methanol (M85)': 13,
  'Flexible Fuel Vehicle (FFV)': 15,
  'Natural Gas': 17,
  'Fuel Cell': 18,
} as const;
export type FuelTypeSecondary = keyof typeof FuelTypeSecondary;

/** Gross Vehicle Weight Rating From */
export const GVWR = {
  'Class 1: 6,000 lb or less (2,722 kg or less)': 1,
  'Class 2: 6,001 - 10,000 lb (2,722 - 4,536 kg)': 2,
  'Class 3: 10,001 - 14,000 lb (4,536 - 6,350 kg)': 4,
  'Class 4: 14,001 - 16,000 lb (6,350 - 7,258 kg)': 5,
  'Class 5: 16,001 - 19,500 lb (7,258 - 8,845 kg)': 6,
  'Class 6: 19,501 - 26,000 lb (8,845 - 11,794 kg)': 7,
  'Class 7: 26,001 - 33,000 lb (11,794 - 14,969 kg)': 8,
  'Class 8: 33,001 lb and above (14,969 kg and above)': 9,
  'Class 1A: 3,000 lb or less (1,360 kg or less)': 10,
  'Class 1B: 3,001 - 4,000 lb (1,360 - 1,814 kg)': 11,
  'Class 1C: 4,001 - 5,000 lb (1,814 - 2,268 kg)': 12,
  'Class 1D: 5,001 - 6,000 lb (2,268 - 2,722 kg)': 13,
  'Class 2E: 6,001 - 7,000 lb (2,722 - 3,175 kg)': 14,
  'Class 2F: 7,001 - 8,000 lb (3,175 - 3,629 kg)': 15,
  'Class 2G: 8,001 - 9,000 lb (3,629 - 4,082 kg)': 16,
  'Class 2H: 9,001 - 10,000 lb (4,082 - 4,536 kg)': 17,
} as const;
export type GVWR = keyof typeof GVWR;

/** Gross Vehicle Weight Rating To */
export const GVWR_to = {
  'Class 1: 6,000 lb or less (2,722 kg or less)': 1,
  'Class 2: 6,001 - 10,000 lb (2,722 - 4,536 kg)': 2,
  'Class 3: 10,001 - 14,000 lb (4,536 - 6,350 kg)': 4,
  'Class 4: 14,001 - 16,000 lb (6,350 - 7,258 kg)': 5,
  'Class 5: 16,001 - 19,500 lb (7,258 - 8,845 kg)': 6,
  'Class 6: 19,501 - 26,000 lb (8,845 - 11,794 kg)': 7,
  'Class 7: 26,001 - 33,000 lb (11,794 - 14,969 kg)': 8,
  'Class 8: 33,001 lb and above (14,969 kg and above)': 9,
  'Class 1A: 3,000 lb or less (1,360 kg or less)': 10,
  'Class 1B: 3,001 - 4,000 lb (1,360 - 1,814 kg)': 11,
  'Class 1C: 4,001 - 5,000 lb (1,814 - 2,268 kg)': 12,
  'Class 1D: 5,001 - 6,000 lb (2,268 - 2,722 kg)': 13,
  'Class 2E: 6,001 - 7,000 lb (2,722 - 3,175 kg)': 14,
  'Class 2F: 7,001 - 8,000 lb (3,175 - 3,629 kg)': 15,
  'Class 2G: 8,001 - 9,000 lb (3,629 - 4,082 kg)': 16,
  'Class 2H: 9,001 - 10,000 lb (4,082 - 4,536 kg)': 17,
} as const;
export type GVWR_to = keyof typeof GVWR_to;

/** Keyless Ignition */
export const KeylessIgnition = {
  'Not Applicable': 0,
  'Standard': 1,
  'Not Available': 2,
  'Optional': 3,
} as const;
export type KeylessIgnition = keyof typeof KeylessIgnition;

/** Lane Centering Assistance */
export const LaneCenteringAssistance = {
  'Standard': 1,
  'Optional': 3,
} as const;
export type LaneCenteringAssistance = keyof typeof LaneCenteringAssistance;

/** Lane Departure Warning (LDW) */
export const LaneDepartureWarning = {
  'Not Applicable': 0,
  'Standard': 1,
  'Not Available': 2,
  'Optional': 3,
} as const;
export type LaneDepartureWarning = keyof typeof LaneDepartureWarning;

/** Lane Keeping Assistance (LKA) */
export const LaneKeepSystem = {
  'Not Applicable': 0,
  'Standard': 1,
  'Not Available': 4,
  'Optional': 5,
} as const;
export type LaneKeepSystem = keyof typeof LaneKeepSystem;

/** Headlamp Light Source */
export const LowerBeamHeadlampLightSource = {
  'Not Applicable': 0,
  'Halogen': 1,
  'HID': 2,
  'LED': 3,
  'Halogen, HID': 5,
  'Halogen, LED': 6,
  'Laser': 16,
} as const;
export type LowerBeamHeadlampLightSource = keyof typeof LowerBeamHeadlampLightSource;

/** Motorcycle Chassis Type */
export const MotorcycleChassisType = {
  'Not Applicable': 0,
  'Trike': 1,
  'Three-Wheeler - Other': 2,
  'Autocycle (Open or Closed)': 3,
  'Reverse Trike': 4,
} as const;
export type MotorcycleChassisType = keyof typeof MotorcycleChassisType;

/** Motorcycle Suspension Type */
export const MotorcycleSuspensionType = {
  'Not Applicable': 0,
  'Hardtail/Rigid Frame': 1,
  'Softail': 2,
  'Swingarm/Wing Fork/Pivoted Fork': 3,
  'Rubber Mount': 4,
} as const;
export type MotorcycleSuspensionType = keyof typeof MotorcycleSuspensionType;

/** Non-Land Use */
export const NonLandUse = {
  'Water': 2,
} as const;
export type NonLandUse = keyof typeof NonLandUse;

/** Parking Assist */
export const ParkAssist = {
  'Not Applicable': 0,
  'Standard': 1,
  'Not Available': 2,
  'Optional': 3,
} as const;
export type ParkAssist = keyof typeof ParkAssist;

/** Pedestrian Automatic Emergency Braking (PAEB) */
export const PedestrianAutomaticEmergencyBraking = {
  'Not Applicable': 0,
  'Standard': 1,
  'Not Available': 2,
  'Optional': 3,
} as const;
export type PedestrianAutomaticEmergencyBraking = keyof typeof PedestrianAutomaticEmergencyBraking;

/** Plant Country */
export const PlantCountry = {
  'CANADA': 1,
  'GERMANY': 2,
  'JAPAN': 3,
  'TAIWAN': 4,
  'UNITED KINGDOM (UK)': 5,
  'UNITED STATES (USA)': 6,
  'AUSTRIA': 7,
  'CHINA': 8,
  'ITALY': 9,
  'SOUTH AFRICA': 10,
  'FRANCE': 11,
  'MEXICO': 12,
  'TURKEY': 13,
  'AUSTRALIA': 14,
  'SOUTH KOREA': 15,
  'VENEZUELA': 16,
  'ARGENTINA': 17,
  'BRAZIL': 18,
  'EGYPT': 19,
  'ISRAEL': 21,
  'BELGIUM': 22,
  'SWEDEN': 23,
  'SERBIA': 24,
  'FINLAND': 25,
  'SPAIN': 26,
  'SLOVENIA': 27,
  'ENGLAND': 28,
  'NORTH KOREA': 29,
  'THAILAND': 30,
  'NETHERLANDS': 31,
  'HUNGARY': 32,
  'SLOVAKIA': 33,
  'COLOMBIA': 34,
  'NORTH MACEDONIA': 35,
  'INDIA': 36,
  'RUSSIA': 37,
  'VIETNAM': 38,
  'POLAND': 39,
  'PERU': 40,
  'PORTUGAL': 41,
  'INDONESIA': 42,
  'MALAYSIA': 43,
  'ROMANIA': 44,
  'PUERTO RICO': 45,
  'SINGAPORE': 46,
  'NORWAY': 47,
  'CZECH REPUBLIC': 48,
  'COSTA RICA': 49,
  'SWITZERLAND': 50,
  'URUGUAY': 51,
  'DENMARK': 54,
  'ESTONIA': 55,
  'NEW ZEALAND': 56,
  'HONG KONG': 57,
  'MOROCCO': 58,
  'BOSNIA AND HERZEGOVINA': 75,
  'BOTSWANA ': 76,
  'CROATIA': 91,
  'DOMINICAN REPUBLIC': 96,
  'EL SALVADOR': 98,
  'GREECE': 107,
  'GUATEMALA': 109,
  'HAITI': 112,
  'IRAN': 116,
  'IRELAND': 118,
  'JAMAICA ': 119,
  'JORDAN': 120,
  'KAZAKHSTAN': 121,
  'KENYA': 122,
  'LIBERIA': 131,
  'LUXEMBOURG': 135,
  'MADAGASCAR': 137,
  'MOZAMBIQUE': 150,
  'NICARAGUA ': 156,
  'PANAMA': 163,
  'PHILIPPINES': 167,
  'RWANDA ': 173,
  'SAMOA': 177,
  'SAUDI ARABIA': 181,
  'UKRAINE': 212,
  'UNITED ARAB EMIRATES': 213,
} as const;
export type PlantCountry = keyof typeof PlantCountry;

/** Pretensioner */
export const Pretensioner = {
  'Not Applicable': 0,
  'Yes': 1,
  'No': 2,
} as const;
export type Pretensioner = keyof typeof Pretensioner;

/** Rear Automatic Emergency Braking */
export const RearAutomaticEmergencyBraking = {
  'Standard': 1,
  'Optional': 3,
} as const;
export type RearAutomaticEmergencyBraking = keyof typeof RearAutomaticEmergencyBraking;

/** Rear Cross Traffic Alert */
export const RearCrossTrafficAlert = {
  'Not Applicable': 0,
  'Standard': 1,
  'Optional': 2,
  'Not Available': 3,
} as const;
export type RearCrossTrafficAlert = keyof typeof RearCrossTrafficAlert;

/** Backup Camera */
export const RearVisibilitySystem = {
  'Not Applicable': 0,
  'Standard': 1,
  'Not Available': 2,
  'Optional': 3,
} as const;
export type RearVisibilitySystem = keyof typeof RearVisibilitySystem;

/** Seat Belt Type */
export const SeatBeltsAll = {
  'Not Applicable': 0,
  'Manual': 1,
  'Automatic': 2,
  'Manual and Automatic': 3,
} as const;
export type SeatBeltsAll = keyof typeof SeatBeltsAll;

/** Semiautomatic Headlamp Beam Switching */
export const SemiautomaticHeadlampBeamSwitching = {
  'Not Applicable': 0,
  'Standard': 1,
  'Not Available': 2,
  'Optional': 3,
} as const;
export type SemiautomaticHeadlampBeamSwitching = keyof typeof SemiautomaticHeadlampBeamSwitching;

/** Steering Location */
export const SteeringLocation = {
  'Not Applicable': 0,
  'Left-Hand Drive (LHD)': 1,
  'Right-Hand Drive (RHD)': 2,
} as const;
export type SteeringLocation = keyof typeof SteeringLocation;

/** Tire Pressure Monitoring System (TPMS) Type */
export const TPMS = {
  'Not Applicable': 0,
  'Direct': 1,
  'Indirect': 2,
} as const;
export type TPMS = keyof typeof TPMS;

/** Traction Control */
export const TractionControl = {
  'Not Applicable': 0,
  'Standard': 1,
  'Optional': 3,
} as const;
export type TractionControl = keyof typeof TractionControl;

/** Trailer Body Type */
export const TrailerBodyType = {
  'Not Applicable': 0,
  'Snowmobile Trailer': 1,
  'Boat Trailer': 2,
  'Car Hauler Trailer': 3,
  'Dump Trailer': 4,
  'Box or Van Enclosed Trailer': 5,
  'Flatbed or Platform Trailer': 6,
  'Camping or Travel Trailer': 10,
  'Live Animal Trailer': 13,
  'Tank Trailer': 15,
  'Utility Trailer': 16,
  'Landscape Trailer': 17,
  'Logging Trailer': 19,
  'Equipment Trailer': 23,
  'Roll-off Trailer': 43,
  'Dolly': 45,
  'Incomplete Trailer Chassis': 46,
  'Auto Transporter': 58,
  'House Trailer': 82,
  'Pole Trailer': 91,
  'Other Trailer': 101,
  'Intermodal Container Chassis or Trailer': 109,
  'Specialty Trailer': 111,
  'Agricultural Trailer': 136,
  'Construction Trailer': 154,
  'Concession Trailer': 162,
  'Grain, Chip, or Gravel Trailer': 180,
  'Mixer Trailer': 187,
  'Special Purpose Trailer': 188,
  'Mobile Facility Trailer': 189,
} as const;
export type TrailerBodyType = keyof typeof TrailerBodyType;

/** Trailer Type Connection */
export const TrailerType = {
  'Not Applicable': 0,
  'Ball Type Pull': 1,
  'Pintle Hitch/Hook': 2,
  'Gooseneck': 3,
  'Straight Semi/Semi Trailer': 4,
  'Fifth Wheel': 5,
  'Kingpin': 6,
  'Bumper Pull': 14,
  'Other': 30,
  'Ball Hitch': 31,
} as const;
export type TrailerType = keyof typeof TrailerType;

/** Transmission Style */
export const TransmissionStyle = {
  'Not Applicable': 0,
  'Automatic': 2,
  'Manual/Standard': 3,
  'Electronic Continuously Variable (e-CVT)': 4,
  'Continuously Variable Transmission (CVT)': 7,
  'Automated Manual Transmission (AMT)': 8,
  'Motorcycle - Shaft Drive': 9,
  'Motorcycle - Chain Drive': 10,
  'Motorcycle - Shaft Drive Off-Road': 11,
  'Motorcycle - CVT Belt Drive': 12,
  'Motorcycle - Chain Drive Off-Road': 13,
  'Dual-clutch Transmission (DCT)': 14,
  'Direct Drive': 15,
} as const;
export type TransmissionStyle = keyof typeof TransmissionStyle;

/** Turbo */
export const Turbo = {
  'Not Applicable': 0,
  'Yes': 1,
  'No': 2,
} as const;
export type Turbo = keyof typeof Turbo;

/** Valve Train Design */
export const ValveTrainDesign = {
  'Not Applicable': 0,
  'Camless Valve Actuation (CVA)': 1,
  'Dual Overhead Cam (DOHC)': 2,
  'Overhead Valve (OHV)': 3,
  'Single Overhead Cam (SOHC)': 4,
} as const;
export type ValveTrainDesign = keyof typeof ValveTrainDesign;

/** Vehicle Type */
export const VehicleType = {
  'MOTORCYCLE': 1,
  'PASSENGER CAR': 2,
  'TRUCK': 3,
  'BUS': 5,
  'TRAILER': 6,
  'MULTIPURPOSE PASSENGER VEHICLE (MPV)': 7,
  'LOW SPEED VEHICLE (LSV)': 9,
  'INCOMPLETE VEHICLE': 10,
  'OFF-ROAD VEHICLE': 13,
} as const;
export type VehicleType = keyof typeof VehicleType;

/** Wheelbase Type */
export const WheelBaseType = {
  'Long': 1,
  'Short': 2,
  'Super Long': 3,
  'Extra Long': 4,
  'Standard': 5,
  'Medium': 6,
} as const;
export type WheelBaseType = keyof typeof WheelBaseType;

/** Wheelie Mitigation */
export const WheelieMitigation = {
  'Standard': 1,
  'Optional': 3,
} as const;
export type WheelieMitigation = keyof typeof WheelieMitigation;

/** The type of every coded element, by its key in flat answers. */
export interface CodedElements {
  ABS: ABS;
  AdaptiveCruiseControl: AdaptiveCruiseControl;
  AdaptiveDrivingBeam: AdaptiveDrivingBeam;
  AirBagLocCurtain: AirBagLocCurtain;
  AirBagLocFront: AirBagLocFront;
  AirBagLocKnee: AirBagLocKnee;
  AirBagLocSeatCushion: AirBagLocSeatCushion;
  AirBagLocSide: AirBagLocSide;
  AutoReverseSystem: AutoReverseSystem;
  AutomaticPedestrianAlertingSound: AutomaticPedestrianAlertingSound;
  AxleConfiguration: AxleConfiguration;
  BatteryType: BatteryType;
  BedType: BedType;
  BlindSpotIntervention: BlindSpotIntervention;
  BlindSpotMon: BlindSpotMon;
  BodyCabType: BodyCabType;
  BodyClass: BodyClass;
  BrakeSystemType: BrakeSystemType;
  BusFloorConfigType: BusFloorConfigType;
  BusType: BusType;
  CAN_AACN: CAN_AACN;
  CIB: CIB;
  ChargerLevel: ChargerLevel;
  CombinedBrakingSystem: CombinedBrakingSystem;
  CoolingType: CoolingType;
  CustomMotorcycleType: CustomMotorcycleType;
  DaytimeRunningLight: DaytimeRunningLight;
  DestinationMarket: DestinationMarket;
  DriveType: DriveType;
  DynamicBrakeSupport: DynamicBrakeSupport;
  EDR: EDR;
  ESC: ESC;
  EVDriveUnit: EVDriveUnit;
  ElectrificationLevel: ElectrificationLevel;
  EngineConfiguration: EngineConfiguration;
  EntertainmentSystem: EntertainmentSystem;
  ForwardCollisionWarning: ForwardCollisionWarning;
  FuelInjectionType: FuelInjectionType;
  FuelTankMaterial: FuelTankMaterial;
  FuelTankType: FuelTankType;
  FuelTypePrimary: FuelTypePrimary;
  FuelTypeSecondary: FuelTypeSecondary;
  GVWR: GVWR;
  GVWR_to: GVWR_to;
  KeylessIgnition: KeylessIgnition;
  LaneCenteringAssistance: LaneCenteringAssistance;
  LaneDepartureWarning: LaneDepartureWarning;
  LaneKeepSystem: LaneKeepSystem;
  LowerBeamHeadlampLightSource: LowerBeamHeadlampLightSource;
  MotorcycleChassisType: MotorcycleChassisType;
  MotorcycleSuspensionType: MotorcycleSuspensionType;
  NonLandUse: NonLandUse;
  ParkAssist: ParkAssist;
  PedestrianAutomaticEmergencyBraking: PedestrianAutomaticEmergencyBraking;
  PlantCountry: PlantCountry;
  Pretensioner: Pretensioner;
  RearAutomaticEmergencyBraking: RearAutomaticEmergencyBraking;
  RearCrossTrafficAlert: RearCrossTrafficAlert;
  RearVisibilitySystem: RearVisibilitySystem;
  SeatBeltsAll: SeatBeltsAll;
  SemiautomaticHeadlampBeamSwitching: SemiautomaticHeadlampBeamSwitching;
  SteeringLocation: SteeringLocation;
  TPMS: TPMS;
  TractionControl: TractionControl;
  TrailerBodyType: TrailerBodyType;
  TrailerType: TrailerType;
  TransmissionStyle: TransmissionStyle;
  Turbo: Turbo;
  ValveTrainDesign: ValveTrainDesign;
  VehicleType: VehicleType;
  WheelBaseType: WheelBaseType;
  WheelieMitigation: WheelieMitigation;
}
