import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

/** Plays a round with the client that openapi-generator makes for Java (native): URL RULESET PLAYERS. */
public class Player {
    private static ActionsApi actions;
    private static String table;

    public static void main(String[] told) throws ApiException {
        int players = Integer.parseInt(told[2]);
        ApiClient me = new ApiClient();
        me.updateBaseUri(told[0]);
        ObjectMapper mapper = me.getObjectMapper();
        // A view has no decision while nobody is asked; the generated reader of a union refuses null.
        mapper.configOverride(OpenDecision.class).setSetterInfo(JsonSetter.Value.forValueNulls(Nulls.SKIP));
        me.setObjectMapper(mapper);
        Registration lin = new Registration().name("Lin").kind(Registration.KindEnum.BOT);
        String token = new PlayersApi(me).register(lin, null).getToken();
        me.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
        actions = new ActionsApi(me);
        SeatsApi seats = new SeatsApi(me);
        TablesApi tables = new TablesApi(me);
        EventsApi events = new EventsApi(me);

        TableSetup setup = new TableSetup().ruleset(TableSetup.RulesetEnum.fromValue(told[1])).players(players)
            .options(Map.of("deal_pace", "instant")).aiPaceMs(0);
        table = tables.createTable(setup, null).getId();
        seats.takeSeat(table, null, new Sitting().seat(0));
        for (int seat = 1; seat < players; seat++) {
            seats.seatAi(table, seat, null, new AiSeat());
        }
        seats.ready(table, null, new ReadyState());

        int after = 0;
        int acted = 0;
        int tricks = 0;
        while (true) {
            EventPage page = events.listEvents(table, after, 20, null, null, null, null);
            after = page.getNextAfter();
            for (Event event : page.getEvents()) {
                if (event.getActualInstance() instanceof TrickWonEvent won) {
                    tricks = won.getData().getNumber();
                } else if (event.getActualInstance() instanceof RoundScoredEvent scored) {
                    System.out.printf("%d actions, %d tricks, %d points%n", acted, tricks, scored.getData().getPoints());
                    return;
                } else if (event.getActualInstance() instanceof OtherEvent) {
                    throw new IllegalStateException("an event that the document does not know");
                }
            }
            View view = tables.getTable(table, null, null);
            if (view.getVersion() <= after && view.getDecision() != null && act(view.getDecision().getActualInstance())) {
                acted++;
            }
        }
    }

    /** Answers a decision by its hints, which have a type for each kind. Returns false if others are asked. */
    private static boolean act(Object decision) throws ApiException {
        if (decision instanceof PlayDecision open && open.getHints() != null) {
            actions.play(table, new PlayAction().decisionId(open.getId()).cards(open.getHints().getExample()), null);
        } else if (decision instanceof DiscardDecision open && open.getHints() != null) {
            actions.discard(table, new DiscardAction().decisionId(open.getId()).cards(open.getHints().getExample()), null);
        } else if (decision instanceof CallDecision open && open.getHints() != null) {
            List<CardCall> calls = open.getHints().getExample().stream()
                .map(card -> new CardCall().card(card.getCard()).ordinal(card.getOrdinal()).other(card.getOther())).toList();
            actions.callFriends(table, new CallAction().decisionId(open.getId()).calls(calls), null);
        } else if (decision instanceof DeclareDecision open && open.getHints() != null) {
            List<List<String>> sets = open.getHints().getPossible();
            if (sets.isEmpty()) {
                actions.passDecision(table, new PassAction().decisionId(open.getId()), null);
            } else {
                actions.declare(table, new DeclareAction().decisionId(open.getId()).cards(sets.get(0)), null);
            }
        } else if (decision instanceof DefendDecision open && open.getHints() != null) {
            actions.passDecision(table, new PassAction().decisionId(open.getId()), null);
        } else {
            return false;
        }
        return true;
    }
}
