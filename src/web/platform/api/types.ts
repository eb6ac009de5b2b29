import type * as catalogue from '#contract/catalogue/schemas.ts';
import type * as departures from '#contract/departures/schemas.ts';
import type * as asCustomer from '#contract/desk/as-customer/schemas.ts';
import type * as cardSales from '#contract/desk/card-sales/schemas.ts';
import type * as staffChanges from '#contract/desk/changes/schemas.ts';
import type * as staffCustomers from '#contract/desk/customers/schemas.ts';
import type * as staffDrawer from '#contract/desk/drawer/schemas.ts';
import type * as heldBack from '#contract/desk/held-back/schemas.ts';
import type * as staffOrders from '#contract/desk/orders/schemas.ts';
import type * as staffPrivacy from '#contract/desk/privacy/schemas.ts';
import type * as staffRefunds from '#contract/desk/refunds/schemas.ts';
import type * as desk from '#contract/desk/schemas.ts';
import type * as staffSettings from '#contract/desk/settings/schemas.ts';
import type * as staffTimetable from '#contract/desk/timetable/schemas.ts';
import type * as gateQueue from '#contract/gate/queue/schemas.ts';
import type * as gateSales from '#contract/gate/sales/schemas.ts';
import type * as gateDevices from '#contract/gate-devices/schemas.ts';
import type * as customers from '#contract/identity/accounts/schemas.ts';
import type * as registration from '#contract/identity/registration/schemas.ts';
import type * as security from '#contract/identity/security/schemas.ts';
import type * as signIn from '#contract/identity/sign-in/schemas.ts';
import type * as invoices from '#contract/invoices/schemas.ts';
import type * as purchase from '#contract/orders/buy/schemas.ts';
import type * as cancellations from '#contract/orders/cancel/schemas.ts';
import type * as changes from '#contract/orders/change/schemas.ts';
import type * as rebooking from '#contract/orders/rebook/schemas.ts';
import type * as orders from '#contract/orders/schemas.ts';
import type * as ticketShares from '#contract/orders/ticket-shares/schemas.ts';
import type * as passengerLists from '#contract/passenger-lists/schemas.ts';
import type * as passTerms from '#contract/passes/pass-terms.ts';
import type * as passes from '#contract/passes/schemas.ts';
import type * as paymentCards from '#contract/payment-cards/schemas.ts';
import type * as reports from '#contract/reports/schemas.ts';
import type * as sailings from '#contract/sailings/schemas.ts';
import type * as savedParty from '#contract/saved-party/schemas.ts';
import type * as staffAccount from '#contract/staff/account/schemas.ts';
import type * as staffAudit from '#contract/staff/audit/schemas.ts';
import type * as staffMembers from '#contract/staff/members/schemas.ts';
import type * as staff from '#contract/staff/schemas.ts';
import type * as tripCards from '#contract/trip-cards/schemas.ts';
import type { CamelCased } from './case-conversion.ts';

/** The contract's types as screens see them: the same fields in camel case. */
export type Catalogue = CamelCased<catalogue.Catalogue>;
export type Route = CamelCased<catalogue.Route>;
export type PassengerType = CamelCased<catalogue.PassengerType>;
export type VehicleType = CamelCased<catalogue.VehicleType>;
export type FareClass = CamelCased<catalogue.FareClass>;

export type Boat = CamelCased<departures.Boat>;
export type ServiceStatus = CamelCased<departures.ServiceStatus>;

export type Sailing = CamelCased<sailings.Sailing>;
export type Connection = CamelCased<sailings.Connection>;
export type ConnectionsQuery = CamelCased<sailings.ConnectionsQuery>;
export type SailingsQuery = CamelCased<sailings.SailingsQuery>;
export type SailingDaysQuery = CamelCased<sailings.SailingDaysQuery>;
export type SailingDay = CamelCased<sailings.SailingDay>;

export type StaffSettings = CamelCased<staffSettings.StaffSettings>;
export type StaffSetting = CamelCased<staffSettings.StaffSetting>;
export type SettingValue = staffSettings.SettingValue;
export type SettingChange = CamelCased<staffSettings.SettingChange>;
export type SettingDifference = CamelCased<staffSettings.SettingDifference>;
export type SettingsVersions = CamelCased<staffSettings.SettingsVersions>;
export type StoredPerson = CamelCased<staffPrivacy.StoredPerson>;
export type PrivacyOverview = CamelCased<staffPrivacy.PrivacyOverview>;
export type PrivacyRecord = CamelCased<staffPrivacy.PrivacyRecord>;
export type Report = CamelCased<reports.Report>;
export type Payout = CamelCased<reports.Payout>;
export type MonthState = CamelCased<reports.MonthState>;
export type DeskBoard = CamelCased<desk.DeskBoard>;
export type PortClosure = CamelCased<desk.PortClosure>;
export type DeskBoat = CamelCased<desk.DeskBoat>;
export type BoatDetails = CamelCased<desk.BoatDetails>;
export type HeldBackOutcome = CamelCased<heldBack.HeldBackOutcome>;
export type BoatOrder = CamelCased<desk.BoatOrder>;
export type UnpaidOrder = CamelCased<desk.UnpaidOrder>;
export type BoatChange = CamelCased<desk.BoatChange>;
export type Work = CamelCased<desk.Work>;
export type WorkItem = CamelCased<desk.WorkItem>;
export type FareWork = CamelCased<desk.FareWork>;
export type PayoutWork = CamelCased<desk.PayoutWork>;
export type BoatChangeOutcome = CamelCased<desk.BoatChangeOutcome>;
export type AccountAsCustomer = CamelCased<asCustomer.AccountAsCustomer>;
export type CardSale = CamelCased<cardSales.CardSale>;
export type CardSalePreview = CamelCased<cardSales.CardSalePreview>;
export type CardSaleSummary = CamelCased<cardSales.CardSaleSummary>;
export type Invoice = CamelCased<invoices.Invoice>;
export type Drawer = CamelCased<staffDrawer.Drawer>;
export type Drawers = CamelCased<staffDrawer.Drawers>;
export type TimetableCheck = CamelCased<staffTimetable.TimetableCheck>;
export type TimetableDifference = CamelCased<staffTimetable.TimetableDifference>;
export type PromoCodeUses = CamelCased<staffTimetable.PromoCodeUses>;
export type TimetableChanges = CamelCased<staffTimetable.TimetableChanges>;

export type GateDevice = CamelCased<gateDevices.GateDevice>;
export type AddedGateDevice = CamelCased<gateDevices.AddedGateDevice>;
export type PairedGateDevice = CamelCased<gateDevices.PairedGateDevice>;

export type Queue = CamelCased<gateQueue.Queue>;
export type Sold = CamelCased<gateSales.Sold>;
export type HeldOrder = CamelCased<gateSales.HeldOrder>;
export type QueueEntry = CamelCased<gateQueue.QueueEntry>;

export type AuditEntry = CamelCased<staffAudit.AuditEntry>;

export type SavedParty = CamelCased<savedParty.SavedParty>;
export type SavedVehicle = CamelCased<savedParty.SavedVehicle>;
export type SavedTraveler = CamelCased<savedParty.SavedTraveler>;

export type Departures = CamelCased<departures.Departures>;
export type Departure = CamelCased<departures.Departure>;

export type QuoteRequest = CamelCased<purchase.QuoteRequest>;
export type Quote = CamelCased<purchase.Quote>;
export type QuoteLine = CamelCased<purchase.QuoteLine>;
export type Vehicle = CamelCased<purchase.Vehicle>;
export type Hold = CamelCased<purchase.Hold>;
export type Contact = CamelCased<purchase.Contact>;

export type Order = CamelCased<orders.Order>;
export type OrderSummary = CamelCased<orders.OrderSummary>;
export type Leg = CamelCased<orders.Leg>;
export type ChangeQuote = CamelCased<changes.ChangeQuote>;
export type OrderChange = CamelCased<changes.OrderChange>;
export type UnpaidChange = CamelCased<changes.UnpaidChange>;
export type CancellationQuote = CamelCased<cancellations.CancellationQuote>;
export type OrderOptions = CamelCased<rebooking.OrderOptions>;
export type JourneyOptions = CamelCased<rebooking.JourneyOptions>;
export type PartyCode = CamelCased<orders.PartyCode>;
export type Ticket = CamelCased<orders.Ticket>;
export type TicketShare = CamelCased<ticketShares.TicketShare>;
export type CreatedTicketShare = CamelCased<ticketShares.CreatedTicketShare>;
export type SharedTickets = CamelCased<ticketShares.SharedTickets>;
/** Of a payment card; what a trip card pays alone is over when it is answered. */
export type StartedPayment = CamelCased<orders.StartedPayment & { client_secret: string }>;

export type PaymentCard = CamelCased<paymentCards.PaymentCard>;
export type RemovedPaymentCard = CamelCased<paymentCards.RemovedPaymentCard>;

export type Customer = CamelCased<customers.Customer>;
export type ChangeCustomer = CamelCased<customers.ChangeCustomer>;
export type SignInOutcome = CamelCased<signIn.SignInOutcome>;
export type NextStep = CamelCased<signIn.NextStep>;
export type Registration = CamelCased<registration.Register>;
export type AccountVerified = CamelCased<registration.AccountVerified>;
export type StepUpMethod = signIn.StepUpMethod;
export type SecurityOverview = CamelCased<security.SecurityOverview>;
export type Passkey = CamelCased<security.Passkey>;
export type SignedInDevice = CamelCased<security.SignedInDevice>;
export type SecurityEvent = CamelCased<security.SecurityEvent>;

export type TripCard = CamelCased<tripCards.TripCard>;
export type MoneyCard = CamelCased<tripCards.MoneyCard>;
export type PassCard = CamelCased<tripCards.PassCard>;
export type TripCardShare = CamelCased<tripCards.TripCardShare>;
export type ShareRole = tripCards.ShareRole;
export type TripCardEntry = CamelCased<tripCards.TripCardEntry>;
export type TripCardBalance = CamelCased<tripCards.TripCardBalance>;
export type OfflineCode = CamelCased<tripCards.OfflineCode>;
export type AutoTopUp = CamelCased<tripCards.AutoTopUp>;
export type PassTerms = CamelCased<passTerms.PassTerms>;
export type PassOffer = CamelCased<passes.PassOffer>;
export type TopUp = CamelCased<tripCards.TopUp>;
export type TopUpList = CamelCased<tripCards.TopUpList>;
export type StartedTopUp = CamelCased<tripCards.StartedTopUp>;

export type AuthenticatorSetup = CamelCased<security.AuthenticatorSetup>;

export type ListedBoat = CamelCased<passengerLists.ListedBoat>;
export type ListedTraveler = CamelCased<passengerLists.ListedTraveler>;
export type PassengerList = CamelCased<passengerLists.PassengerList>;

export type StaffSession = CamelCased<staff.StaffSession>;
export type StaffAccount = CamelCased<staffAccount.StaffAccount>;
export type FoundCustomer = CamelCased<staffOrders.FoundCustomer>;
export type FoundOrder = CamelCased<staffOrders.FoundOrder>;
export type StaffOrder = CamelCased<staffOrders.StaffOrder>;
export type StaffCustomer = CamelCased<staffCustomers.StaffCustomer>;
export type CustomerCard = CamelCased<staffCustomers.CustomerCard>;
export type StaffJourneys = CamelCased<staffChanges.StaffJourneys>;
export type RefundPreview = CamelCased<staffRefunds.RefundPreview>;
export type StaffMember = CamelCased<staffMembers.StaffMember>;
export type StaffInvitation = CamelCased<staff.StaffInvitation>;
